/** What is offered at a cursor → completion items with the edits that the client understands. */
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
  /** What is inserted where it is not the label. */
  text?: string;
  /** What is inserted for clients that know snippets. */
  snippet?: string;
  detail?: string | null;
  /** Markdown. */
  documentation?: string | null;
  /** What the typed text is compared with where it is not the label. */
  filter?: string;
  /** Edits elsewhere in the file, such as a missing import. */
  edits?: readonly TextEdit[];
  /** What `resolveCompletion` needs. */
  data?: CompletionData | null;
  /** What is replaced where it is not the word, or the content of the string, at the cursor. */
  span?: Span;
}

/** Carried by an item whose documentation is looked up only when it is selected. */
export interface CompletionData {
  uri: string;
  distribution: string;
}

/** What of a cursor an edit depends on. */
export type EditPlace = Pick<Cursor, 'text' | 'offset' | 'position' | 'word' | 'string'>;

/** Indices of the text that an item replaces: a client may insert at the cursor instead, and keep what is behind it. */
export interface Span {
  start: number;
  end: number;
}

/** The answer, in which items leave out the range that they share with the first, where the client knows how. */
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

/** An item without its place, which is sorted by its number. */
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

/** A value as a text: inside of one its content, elsewhere with quotes. */
export function textOffer(cursor: EditPlace, value: string, more: Partial<Offer> = {}): Offer {
  const quote = cursor.string ? '' : '"';
  const label = `${quote}${value}${quote}`;
  return { label, filter: value, text: label + closing(cursor), kind: CompletionItemKind.Value, ...more };
}

/** The content of the string that the cursor is in, up to its line's end, as far as it is one. */
export function stringSpan({ text, offset, string }: EditPlace): Span {
  if (!string) return { start: offset, end: offset };
  const margin = lineStart(text, offset);
  const lineEnd = text.indexOf('\n', offset);
  const start = Math.max(string.contentStart, margin);
  if (string.closed)
    return { start, end: Math.min(string.contentEnd, lineEnd === -1 ? text.length : lineEnd) };
  // The quote may close what is behind the cursor, and it may not: only what continues the word is of the string.
  const rest = /^[\w./{}-]*/.exec(text.slice(offset, offset + 200))![0];
  return { start, end: offset + rest.length };
}

/** What an offer inside of a string must add so that the string ends. */
export function closing({ string }: EditPlace): string {
  return string && !string.closed ? string.quote : '';
}

/** A text for a snippet: its dollars and braces are no placeholders. */
export function literal(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** An index in the cursor's own line as a position. */
export function inLine({ position, offset }: EditPlace, index: number): Position {
  return { line: position.line, character: position.character + index - offset };
}
