/** Positions of the protocol ↔ indices in a text. */
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';

/** The index of a position; at most the end of its line. */
export function offsetAt(text: string, { line, character }: Position): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.min(start + character, end === -1 ? text.length : end);
}

/** The index at which the line containing an index begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The range of `c` in `a.b.c`. */
export function lastName({ start, end }: Range, path: readonly string[]): Range {
  const length = path.at(-1)?.length ?? 0;
  const isOneLine = start.line === end.line;
  return { start: isOneLine ? { line: end.line, character: end.character - length } : start, end };
}
