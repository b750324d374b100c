/** A document → its declarations whose ranges fit its current text. */
import type { Range } from '../../runtime/contract/diagnostic.ts';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { declarationsOf } from './declared.ts';
import type { DocumentContext } from './feature.ts';
import { offsetAt } from './textPlaces.ts';

/**
 * Declarations of the document, sorted by position. While pyproject.toml is not valid TOML, those of its last valid
 * text are kept, except those that have moved since.
 */
export function declarationsIn({ project, document }: DocumentContext): readonly Declaration[] {
  const declarations = declarationsOf(project.index, document.file);
  if (declarations.every(({ form }) => form !== 'table')) return declarations;
  const text = project.textOf(document.file) ?? '';
  return declarations.filter(({ call, given }) => {
    const isAt = (range: Range, expected: RegExp) =>
      expected.test(text.slice(offsetAt(text, range.start), offsetAt(text, range.end)));
    return (
      isAt(call.range, /^\[\[.*\]\]$/) &&
      Object.values(given).every(
        ({ keyword, keywordRange, expression: { range } }) =>
          isAt(keywordRange, new RegExp(`^["']?${keyword}["']?$`)) &&
          isAt({ start: keywordRange.end, end: range.start }, /^\s*=\s*$/) &&
          isAt(range, /\S$/),
      )
    );
  });
}
