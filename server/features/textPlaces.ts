/** Positions of the protocol ↔ indices of a text. */
import type { Position } from '../../runtime/contract/diagnostic.ts';

/** The index of a position; one beyond its line's end is that end. */
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

/** The position of an index. */
export function positionAt(text: string, offset: number): Position {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, character: offset - start };
}

/** The index at which the line of an index begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Negative when a position is before another one, zero when they are the same. */
export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
