/** Offers at the cursor → completion items, with the kind of edits that the client supports. */
import {
  type CompletionClientCapabilities,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type EditRangeWithInsertReplace,
  InsertTextFormat,
  type TextEdit,
} from 'vscode-languageserver';
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import type { Cursor } from './cursor.ts';
import type { DocumentContext } from './feature.ts';
import { markup } from './markup.ts';
import { lineStart } from './textPlaces.ts';

/** One offer. */
export interface Offer {
  label: string;
  kind: CompletionItemKind;
  /** The text to insert, if it is not the label. */
  text?: string;
  /** The snippet to insert, for clients that support snippets. */
  snippet?: string;
  detail?: string | null;
  /** Markdown. */
  documentation?: string | null;
  /** The text that typed text is compared with, if it is not the label. */
  filter?: string;
  /** Edits elsewhere in the file, such as a missing import. */
  edits?: readonly TextEdit[];
  /** Data for `resolveCompletion`. */
  data?: CompletionData | null;
  /** The text to replace, if it is not the word or the string content at the cursor. */
  span?: Span;
}

/** Sent with an item whose documentation is only looked up when it is selected. */
export interface CompletionData {
  uri: string;
  distribution: string;
}

/** The parts of a cursor that an edit depends on. */
export type EditPlace = Pick<Cursor, 'text' | 'offset' | 'position' | 'word' | 'string'>;

/** Range of the text that an item replaces. A client can insert at the cursor instead, and keep the text after it. */
export interface Span {
  start: number;
  end: number;
}

/** The completion list. If the client supports it, items omit a range that equals the first item's. */
export function listOf(
  { client }: DocumentContext,
  cursor: EditPlace,
  offers: readonly Offer[],
): CompletionList | CompletionItem[] {
  const { completionItem: able, completionList } = client.capabilities.textDocument?.completion ?? {};
  const rangeOf = (span: Span) => editRange(cursor, span, able?.insertReplaceSupport === true);
  const usual = cursor.string ? stringSpan(cursor) : cursor.word;
  const shared =
    offers.length > 0 && completionList?.itemDefaults?.includes('editRange')
      ? (offers[0]!.span ?? usual)
      : null;
  const items = offers.map((offer, at): CompletionItem => {
    const { item, newText } = itemOf(offer, at, able);
    const span = offer.span ?? usual;
    if (shared && span.start === shared.start && span.end === shared.end)
      return newText === item.label ? item : { ...item, textEditText: newText };
    const range = rangeOf(span);
    return { ...item, textEdit: 'insert' in range ? { newText, ...range } : { newText, range } };
  });
  return shared ? { isIncomplete: false, itemDefaults: { editRange: rangeOf(shared) }, items } : items;
}

type ItemSupport = NonNullable<CompletionClientCapabilities['completionItem']>;

/** An item without its range; `at` decides its position in the list. */
function itemOf(
  { label, kind, snippet, text, detail, documentation, filter, edits, data }: Offer,
  at: number,
  able: ItemSupport | undefined,
): { item: CompletionItem; newText: string } {
  const isSnippet = snippet !== undefined && able?.snippetSupport === true;
  const item: CompletionItem = {
    label,
    kind,
    sortText: String(at).padStart(4, '0'),
    ...(isSnippet && { insertTextFormat: InsertTextFormat.Snippet }),
    ...(typeof detail === 'string' && { detail }),
    ...(filter !== undefined && filter !== label && { filterText: filter }),
    ...(documentation && { documentation: markup(documentation, able?.documentationFormat) }),
    ...(edits && edits.length > 0 && { additionalTextEdits: [...edits] }),
    ...(data && { data }),
  };
  return { item, newText: (isSnippet ? snippet : text) ?? label };
}

function editRange(
  cursor: EditPlace,
  { start, end }: Span,
  insertReplace: boolean,
): Range | EditRangeWithInsertReplace {
  const replace: Range = { start: inLine(cursor, start), end: inLine(cursor, end) };
  if (!insertReplace || end === cursor.offset) return replace;
  return { insert: { start: replace.start, end: cursor.position }, replace };
}

/** Offers a value as a string: without quotes when the cursor is in a string, else with them. */
export function textOffer(cursor: EditPlace, value: string, more: Partial<Offer> = {}): Offer {
  const quote = cursor.string ? '' : '"';
  const label = `${quote}${value}${quote}`;
  return { label, filter: value, text: label + closing(cursor), kind: CompletionItemKind.Value, ...more };
}

/** The content of the string that the cursor is in, up to the end of the line. */
export function stringSpan({ text, offset, string }: EditPlace): Span {
  if (!string) return { start: offset, end: offset };
  const margin = lineStart(text, offset);
  const lineEnd = text.indexOf('\n', offset);
  const start = Math.max(string.contentStart, margin);
  if (string.closed)
    return { start, end: Math.min(string.contentEnd, lineEnd === -1 ? text.length : lineEnd) };
  // Where an unclosed string ends is unknown, so only the rest of the word is replaced.
  const rest = /^[\w./{}-]*/.exec(text.slice(offset, offset + 200))![0];
  return { start, end: offset + rest.length };
}

/** The quote that an offer adds to close an unclosed string. */
export function closing({ string }: EditPlace): string {
  return string && !string.closed ? string.quote : '';
}

/** Escapes text for a snippet, so that its dollars and braces do not become placeholders. */
export function literal(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** The position of an index in the cursor's line. */
export function inLine({ position, offset }: EditPlace, index: number): Position {
  return { line: position.line, character: position.character + index - offset };
}
