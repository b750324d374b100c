/** Adds and removes items of a list or tuple that is written out, in Python and in TOML. */
import type { Expression } from '../binder/Expression.ts';
import type { TextEdit } from './Fix.ts';
import { appendItem, type BracketedList, removeItem } from './listEdits.ts';
import type { SourceText } from './SourceText.ts';

type Sequence = Extract<Expression, { kind: 'sequence' }>;

/** Adds an item at the end; null for a tuple without brackets. */
export function addSequenceItem(source: SourceText, sequence: Sequence, item: string): TextEdit[] | null {
  const list = listOf(source, sequence);
  if (!list) return null;
  // One item in round brackets is no tuple.
  const written = sequence.type === 'tuple' && list.items.length === 0 ? `${item},` : item;
  return appendItem(source, list, written);
}

/** Removes an item of a list or tuple. */
export function removeSequenceItem(source: SourceText, sequence: Sequence, at: number): TextEdit[] {
  const list = listOf(source, sequence) ?? { open: 0, close: 0, items: itemsOf(source, sequence) };
  return removeItem(source, list, at, sequence.type === 'tuple' && list.items.length === 2);
}

/** Brackets may stand around the brackets. */
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

/** Blanks, commas, continued lines and comments. */
function skipped(text: string): number {
  return /^(?:[\s,\\]|#[^\n]*)*/.exec(text)![0].length;
}
