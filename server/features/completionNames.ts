/** Values of `name=`: what the endpoint may be called, from its function and its file, and nothing that is taken. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { isValidName, LIVE_PREFIX } from '../../runtime/contract/names.ts';
import type { ArgumentPlace } from './argumentPlace.ts';
import { closing, itemsOf, stringSpan } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { Declared } from './declared.ts';
import type { FeatureContext } from './feature.ts';
import { functionBelow } from './functionBelow.ts';
import type { OpenBracket } from './structure.ts';
import { positionAt } from './textPlaces.ts';

/** Offers inside of the text, or with its quotes. */
export function nameOffers(
  context: FeatureContext,
  cursor: Cursor,
  { call, inner, begun }: ArgumentPlace,
): CompletionItem[] {
  if (inner || (begun && !cursor.string)) return [];
  const names = freeNames(context, cursor, call);
  const quote = cursor.string ? '' : '"';
  return itemsOf(
    context,
    cursor,
    names.map((name) => ({
      label: `${quote}${name}${quote}`,
      filter: name,
      text: `${quote}${name}${quote}${closing(cursor)}`,
      kind: CompletionItemKind.Value,
    })),
    cursor.string ? stringSpan(cursor) : cursor.word,
  );
}

/** Names that the endpoint of a call may have: its function's first, then its file's. */
export function freeNames(context: FeatureContext, cursor: Cursor, call: OpenBracket): string[] {
  const { document, project } = context;
  const declared = Declared.of(project.index);
  const line = positionAt(cursor.text, call.start).line;
  const isTaken = (name: string) =>
    declared
      .named(name)
      .some(({ file, call: { range } }) => file !== document.file || range.start.line !== line);
  const below = call.decorates ? functionBelow(cursor.text, cursor.offset)?.name : null;
  const stem = document.file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .split('/')
    .at(-1)!;
  const wanted = [below, stem, stem.replaceAll('_', '-')].flatMap((name) =>
    name ? free(name, isTaken) : [],
  );
  return [...new Set(wanted)];
}

/** The name, with a number where another endpoint has it. */
function free(name: string, isTaken: (name: string) => boolean): string[] {
  if (!isValidName(name) || name.startsWith(LIVE_PREFIX)) return [];
  for (let number = 2, candidate = name; ; number += 1) {
    if (!isTaken(candidate)) return isValidName(candidate) ? [candidate] : [];
    candidate = `${name}-${number}`;
  }
}
