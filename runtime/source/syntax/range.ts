/** Places in a text: nodes of a tree to ranges of the Language Server Protocol. */
import type { Range } from '../../contract/diagnostic.ts';
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
