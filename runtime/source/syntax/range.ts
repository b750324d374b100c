/** Converts nodes of a tree to ranges of the Language Server Protocol, and compares ranges. */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { SyntaxNode } from './SyntaxParser.ts';

export function rangeOf(node: SyntaxNode): Range {
  const { startPosition: start, endPosition: end } = node;
  return {
    start: { line: start.row, character: start.column },
    end: { line: end.row, character: end.column },
  };
}

/** A range, moved down by some lines. */
export function movedRange({ start, end }: Range, lines: number): Range {
  return {
    start: { line: start.line + lines, character: start.character },
    end: { line: end.line + lines, character: end.character },
  };
}

/** Negative if the first position is before the second, zero if they are the same. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** A key that identifies a position in its file. */
export function placeKey({ line, character }: Position): string {
  return `${line}:${character}`;
}

export function isSameRange(a: Range, b: Range): boolean {
  return contains(a, b) && contains(b, a);
}

/** Whether `inner` is inside `outer`, or equal to it. */
export function contains(outer: Range, inner: Range): boolean {
  return comparePositions(outer.start, inner.start) <= 0 && comparePositions(inner.end, outer.end) <= 0;
}

/**
 * Whether a range contains a position. The end of the range counts, because an editor's cursor still touches
 * the range there.
 */
export function includes(range: Range, position: Position): boolean {
  return contains(range, { start: position, end: position });
}

/** Whether two ranges have characters in common, or touch. */
export function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
