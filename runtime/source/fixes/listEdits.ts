/** Adds and removes items between brackets: arguments of a call, items of a list, keys of an inline table. */
import type { TextEdit } from './Fix.ts';
import type { SourceText } from './SourceText.ts';

/** Offsets of what stands between two brackets; comments and commas are between the items. */
export interface BracketedList {
  /** After the opening bracket. */
  open: number;
  /** At the closing bracket. */
  close: number;
  items: readonly { start: number; end: number }[];
}

/** Adds an item at the end, in a line of its own where the items have lines of their own. */
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
  // A comma in a later line would end up before the new item's own.
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

/** Adds an item at the beginning, as `appendItem` does at the end. */
export function prependItem(source: SourceText, { open, items }: BracketedList, item: string): TextEdit[] {
  const [first] = items;
  if (!first) return [source.insert(open, item)];
  const ownLine = source.startOfLine(first.start) > open;
  const after = ownLine ? `${source.lineEnd}${source.indentOf(first.start)}` : ' ';
  return [source.insert(first.start, `${item},${after}`)];
}

/**
 * Removes an item with its comma, and with its line and the comment in it when it has one of its own.
 *
 * @param keepsComma - Whether one item alone needs a comma after it, as in a tuple.
 */
export function removeItem(
  source: SourceText,
  { items }: BracketedList,
  at: number,
  keepsComma = false,
): TextEdit[] {
  const { start, end } = items[at]!;
  const { text } = source;
  const after = end + /^[ \t]*,?[ \t]*/.exec(text.slice(end))![0].length;
  const lineStart = source.startOfLine(start);
  // A backslash before the line joins it to the last one, and would join what comes after it.
  const isContinued = /\\\r?\n$/.test(text.slice(0, lineStart));
  const isAlone =
    !isContinued && text.slice(lineStart, start).trim() === '' && /^(?:#|\r?\n)/.test(text.slice(after));
  if (isAlone) return [source.edit(lineStart, source.startOfNextLine(end), '')];
  const previous = items[at - 1];
  const next = items[at + 1];
  if (next) {
    const isBare = keepsComma && at === 0 && !/^\s*,/.test(text.slice(next.end));
    const removal = source.edit(start, Math.min(next.start, after), '');
    return isBare ? [removal, source.insert(next.end, ',')] : [removal];
  }
  if (!previous) return [source.edit(start, after, '')];
  const comma = text.indexOf(',', previous.end);
  const staysAlone = keepsComma && at === 1;
  const apart = !isContinued && text.slice(previous.end, start).includes('\n');
  if (staysAlone || apart) return [source.edit(apart ? start : comma + 1, after, '')];
  return [source.edit(previous.end, end, '')];
}
