/** Makes a name that is missing, reserved or no part of an address one that fits. */
import { fittingName } from '../../contract/names.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import { variableOf } from '../declarations/variableOf.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { declarationCalledAt, declarationNamedAt } from './findPlace.ts';
import { freeName } from './freeName.ts';
import { giveName, suggestedName } from './giveName.ts';

export const fitName: Fixer = (project, found) => {
  const declaration = declarationNamedAt(project.index, found) ?? declarationCalledAt(project.index, found);
  if (!declaration) return [];
  const wanted =
    effectiveName(declaration) || suggestedName(declaration, variableOf(project.index.names, declaration));
  const name = freeName(project.index, fittingName(wanted) ?? 'my-endpoint');
  const edits = giveName(project, declaration, name);
  if (!edits) return [];
  return [fixIn({ title: `Name this endpoint "${name}"`, file: declaration.file, edits, preferred: true })];
};
