/** Takes a dependency away that the base image has. */
import { type Fixer, fixIn } from './Fix.ts';
import { argumentAt, isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';
import { removeSequenceItem } from './sequences.ts';

export const removeDependency: Fixer = (project, found) => {
  const place = argumentAt(project.index, found);
  const source = SourceText.of(project, found.file);
  const expression = place?.argument.expression;
  if (!source || expression?.kind !== 'sequence') return [];
  const at = expression.items.findIndex(({ range }) => isSame(range, found.range));
  const item = expression.items[at];
  if (!item) return [];
  const edits = removeSequenceItem(source, expression, at);
  const title = `Remove ${source.slice(item.range)} from dependencies`;
  return [fixIn({ title, file: found.file, edits, preferred: true })];
};
