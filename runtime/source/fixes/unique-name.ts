/** Gives one of several declarations with one name a name of its own. */
import { effectiveName } from '../declarations/Declaration.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { declarationNamedAt } from './findPlace.ts';
import { freeName } from './freeName.ts';
import { giveName } from './giveName.ts';

export const uniqueName: Fixer = (project, found) => {
  const declaration = declarationNamedAt(project.index, found);
  const name = declaration && effectiveName(declaration);
  // One instance on several functions has one name, whatever that is.
  if (!declaration || !name || declaration.served.length > 1) return [];
  const unique = freeName(project.index, name);
  const edits = giveName(project, declaration, unique);
  if (!edits) return [];
  return [fixIn({ title: `Name this endpoint "${unique}"`, file: declaration.file, edits, preferred: true })];
};
