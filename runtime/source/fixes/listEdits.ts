/** Adds and removes items between brackets: arguments of a call, items of a list, keys of an inline table. */
import type { Expression } from '../binder/Expression.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

type Sequence = Extract<Expression, { kind: 'sequence' }>;

/** Offsets of a list in brackets; comments and commas are between the items. */
export interface BracketedList {
  /** After the opening bracket. */
  open: number;
  /** At the closing bracket. */
  close: number;
  items: readonly { start: number; end: number }[];
}

/** Adds an item at the end, on a separate line when the items are on separate lines. */
export function appendItem(
  source: SourceText,
  { open, close, items }: BracketedList,
  item: string,
): TextEdit[] {
  const last = items.at(-1);
  if (!last) return [source.insert(open, item)];
  const line = source.startOfLine(last.start);
  if (line <= open || source.endOfLine(last.end) >= close) return [source.insert(last.end, `, ${item}`)];
  const rest = source.text.slice(last.end, source.endOfLine(last.end));
  const comma = /^[ \t]*,/.test(rest);
  // The last item's comma is on a later line, so it now follows the new item.
  if (!comma && /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*,/.test(source.text.slice(last.end, close))) {
    return [source.insert(last.end, `, ${item}`)];
  }
  const added = `${source.lineEnd}${source.indentOf(last.start)}${item}${comma ? ',' : ''}`;
  const at = source.endOfLine(last.end);
  if (comma) return [source.insert(at, added)];
  return at === last.end
    ? [source.insert(at, `,${added}`)]
    : [source.insert(last.end, ','), source.insert(at, added)];
}

/** Adds an item at the beginning, like `appendItem` does at the end. */
export function prependItem(source: SourceText, { open, items }: BracketedList, item: string): TextEdit[] {
  const [first] = items;
  if (!first) return [source.insert(open, item)];
  const ownLine = source.startOfLine(first.start) > open;
  const after = ownLine ? `${source.lineEnd}${source.indentOf(first.start)}` : ' ';
  return [source.insert(first.start, `${item},${after}`)];
}

/**
 * Removes an item with its comma. An item alone on its line is removed with the line and the comment on it.
 *
 * @param keepsComma - Whether a single item needs a comma after it, as in a tuple.
 */
export function removeItem(
  source: SourceText,
  { items }: BracketedList,
  at: number,
  keepsComma = false,
): TextEdit[] {
  const { start, end } = items[at]!;
  const { text } = source;
  const previous = items[at - 1];
  const next = items[at + 1];
  const lineStart = source.startOfLine(start);
  const before = text.slice(lineStart, start);
  const after = end + /^[ \t]*,?[ \t]*/.exec(text.slice(end))![0].length;
  const wholeLine = source.edit(lineStart, source.startOfNextLine(end), '');
  // A tuple of one item needs a comma: the one after the next item, or the one before this item.
  const isBare = keepsComma && at === 0 && next && !/^\s*,/.test(text.slice(next.end));
  const comma = isBare ? [source.insert(next.end, ',')] : [];
  const needsComma = keepsComma && at === 1;
  if (previous && /^[ \t]*,[ \t]*$/.test(before)) {
    // The commas are at the start of the lines.
    if (needsComma) return [source.edit(start, end, '')];
    const endsLine = /^[ \t]*(?:#|\r?\n)/.test(text.slice(end));
    return [endsLine ? wholeLine : source.edit(lineStart + before.indexOf(','), end, '')];
  }
  if (next && !/^[ \t]*,/.test(text.slice(end))) return [source.edit(start, next.start, ''), ...comma];
  // A backslash at the end of the previous line would join that line to the following one.
  const isContinued = /\\\r?\n$/.test(text.slice(0, lineStart));
  const isAlone = !isContinued && before.trim() === '' && /^(?:#|\r?\n)/.test(text.slice(after));
  if (isAlone) return [wholeLine, ...comma];
  if (next) return [source.edit(start, Math.min(next.start, after), ''), ...comma];
  if (!previous) return [source.edit(start, after, '')];
  const apart = !isContinued && text.slice(previous.end, start).includes('\n');
  if (apart) return [source.edit(start, after, '')];
  return [
    source.edit(
      needsComma ? text.indexOf(',', previous.end) + 1 : previous.end,
      needsComma ? after : end,
      '',
    ),
  ];
}

/** Adds an item at the end; null for a tuple without parentheses. */
export function addSequenceItem(source: SourceText, sequence: Sequence, item: string): TextEdit[] | null {
  const list = listOf(source, sequence);
  if (!list) return null;
  // A single item in parentheses is a tuple only with a comma.
  const written = sequence.type === 'tuple' && list.items.length === 0 ? `${item},` : item;
  return appendItem(source, list, written);
}

/** Removes an item of a list or tuple. */
export function removeSequenceItem(source: SourceText, sequence: Sequence, at: number): TextEdit[] {
  const list = listOf(source, sequence) ?? { open: 0, close: 0, items: itemsOf(source, sequence) };
  return removeItem(source, list, at, sequence.type === 'tuple' && list.items.length === 2);
}

/**
 * The bracketed list of a sequence; null for a tuple without parentheses. There may be more brackets around
 * it.
 */
function listOf(source: SourceText, sequence: Sequence): BracketedList | null {
  const opening = sequence.type === 'tuple' ? '(' : '[';
  const start = source.offset(sequence.range.start);
  const items = itemsOf(source, sequence);
  const before = source.text.slice(start, items[0]?.start ?? source.offset(sequence.range.end));
  const bare = before.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
  const open = start + bare.lastIndexOf(opening) + 1;
  if (open === start) return null;
  const after = items.at(-1)?.end ?? open;
  const close = after + skipped(source.text.slice(after));
  return /[\])]/.test(source.text[close] ?? '') ? { open, close, items } : null;
}

function itemsOf(source: SourceText, { items }: Sequence) {
  return items.map(({ range }) => ({ start: source.offset(range.start), end: source.offset(range.end) }));
}

/** The length of the whitespace, commas, line continuations and comments at the start of a text. */
function skipped(text: string): number {
  return /^(?:[\s,\\]|#[^\n]*)*/.exec(text)![0].length;
}
