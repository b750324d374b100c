/** Comments `# toolkit: ignore[code]` → their lines, and the codes that they silence on those lines. */
import type { ParsedSegment } from '../syntax/ParsedSegment.ts';
import { textOf } from './readExpression.ts';

export interface IgnoreComment {
  /** From 0. */
  line: number;
  /** As written; they may not be valid codes. */
  codes: string[];
}

const COMMENT = /\btoolkit:\s*ignore\[([^\]]*)\]/;

/** Reads one comment; empty if it does not silence anything. */
export function ignoreComment(comment: string, line: number): IgnoreComment[] {
  const list = COMMENT.exec(comment)?.[1];
  if (list === undefined) return [];
  return [{ line, codes: list.split(',').map((code) => code.trim()) }];
}

/** The comments of a segment of a Python file. */
export function ignoreComments({ nodes, text, source }: ParsedSegment): IgnoreComment[] {
  if (!COMMENT.test(text)) return [];
  return nodes
    .flatMap((node) => node.descendantsOfType('comment'))
    .flatMap((node) => ignoreComment(textOf(node, source), node.startPosition.row));
}
