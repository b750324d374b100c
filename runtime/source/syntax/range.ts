/** Places in a text: nodes of a tree to ranges of the Language Server Protocol. */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { SyntaxNode } from './SyntaxParser.ts';

/** A node's range. */
export function rangeOf(node: SyntaxNode): Range {
  const { startPosition: start, endPosition: end } = node;
  return {
    start: { line: start.row, character: start.column },
    end: { line: end.row, character: end.column },
  };
}

/** The range, some lines down. */
export function movedRange({ start, end }: Range, lines: number): Range {
  return {
    start: { line: start.line + lines, character: start.character },
    end: { line: end.line + lines, character: end.character },
  };
}

/** Negative when a position is before another one, zero when they are the same. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** Tells a place from any other of its file. */
export function placeKey({ line, character }: Position): string {
  return `${line}:${character}`;
}

export function isSameRange(a: Range, b: Range): boolean {
  return contains(a, b) && contains(b, a);
}

/** Whether one range lies inside of another, or is the same. */
export function contains(outer: Range, inner: Range): boolean {
  return comparePositions(outer.start, inner.start) <= 0 && comparePositions(inner.end, outer.end) <= 0;
}

/** Whether a range has a position, its end included: there an editor's cursor still touches it. */
export function includes(range: Range, position: Position): boolean {
  return contains(range, { start: position, end: position });
}

/** Whether two ranges have characters in common, or touch. */
export function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
