/** Values of `name=`: unused names for the endpoint, derived from its function and its file. */
import { isValidName, LIVE_PREFIX } from '../../runtime/contract/names.ts';
import { moduleOfFile } from '../../runtime/source/declarations/ModuleTable.ts';
import type { CursorContext } from './atCursor.ts';
import type { ArgumentPlace } from './callArguments.ts';
import { type Offer, textOffer } from './completionItems.ts';
import type { PythonContext } from './feature.ts';

/** Offers inside the string, or with quotes. */
export function nameOffers(context: CursorContext, place: ArgumentPlace): Offer[] {
  if (place.inner || (place.begun && !context.cursor.string)) return [];
  return freeNames(context, place).map((name) => textOffer(context.cursor, name));
}

/** Names that the endpoint of a call can use: from its function first, then from its file. */
export function freeNames(
  { document, project }: PythonContext,
  { line, decorated }: ArgumentPlace,
): string[] {
  const isTaken = (name: string) =>
    project.index
      .named(name)
      .some(({ file, call: { range } }) => file !== document.file || range.start.line !== line);
  const stem = moduleOfFile(document.file).split('.').at(-1)!;
  const wanted = [decorated ?? stem, stem, stem.replaceAll('_', '-')];
  return [...new Set(wanted.flatMap((name) => free(name, isTaken)))];
}

/** The name, with a number if another endpoint has it; empty if it is not valid. */
function free(name: string, isTaken: (name: string) => boolean): string[] {
  if (!isValidName(name) || name.startsWith(LIVE_PREFIX)) return [];
  for (let number = 2, candidate = name; ; number += 1) {
    if (!isTaken(candidate)) return isValidName(candidate) ? [candidate] : [];
    candidate = `${name}-${number}`;
  }
}
