/** Writes the keyword that was probably meant, or takes the unknown one away. */
import { dialectOf, KEYWORDS, outcomesOf, TABLE_KEYS } from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { readArguments } from '../declarations/readDeclaration.ts';
import { isDirect, removeArgument, replaceRange } from './callArguments.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { argumentAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const nearestKeyword: Fixer = (project, found) => {
  const place = argumentAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!place || !source) return [];
  const { declaration, argument } = place;
  if (!isDirect(declaration, argument)) return [];
  const removal = fixIn({
    title: `Remove ${argument.keyword}`,
    file: found.file,
    edits: removeArgument(source, declaration, argument),
  });
  const known = declaration.form === 'table' ? TABLE_KEYS : KEYWORDS;
  const meant = known.find((keyword) => keyword === nearest(argument.keyword, known));
  if (!meant || declaration.given[meant]) return [removal];
  const read = readArguments({ [meant]: argument }, dialectOf(declaration), false);
  const outcome = outcomesOf({ ...declaration, ...read })[meant];
  // Of two mistakes in one place it would only show the other.
  if (outcome.state === 'invalid') return [removal];
  const rename = fixIn({
    title: `Write ${meant} instead of ${argument.keyword}`,
    file: found.file,
    edits: replaceRange(source, argument.keywordRange, meant),
    preferred: true,
  });
  return [rename, removal];
};
