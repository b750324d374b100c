/** Puts a route on the instance of the file that was probably meant. */
import { nearest } from '../declarations/nearest.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const nearestInstance: Fixer = (project, found) => {
  const { index } = project;
  const source = SourceText.of(project, found.file);
  const facts = index.names.factsOf(found.file);
  const decorator = facts?.definitions
    .flatMap(({ decorators }) => decorators)
    .find(({ pathRange }) => isSame(pathRange, found.range));
  if (!source || !facts || !decorator?.path) return [];
  const instances = Object.keys(facts.scopes[0]!.bindings).filter(
    (name) => index.instancesOf(found.file, 0, [name]).length === 1,
  );
  const near = nearest(decorator.path[0]!, instances);
  const meant = near ?? (instances.length === 1 ? instances[0]! : null);
  if (meant === null) return [];
  const written = `${meant}.${decorator.path.at(-1)}`;
  const edits = [source.edit(source.offset(found.range.start), source.offset(found.range.end), written)];
  return [fixIn({ title: `Write @${written}(...)`, file: found.file, edits, preferred: near !== null })];
};
