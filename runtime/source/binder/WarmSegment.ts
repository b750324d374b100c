/**
 * The segment that was edited last, with its tree: a large class is parsed again from where it was left. Only of
 * sound code the outcome is that of a parse from nothing, so broken code is always parsed anew.
 */
import { positionAt } from '../syntax/lineEnds.ts';
import type { Point, SyntaxTree } from '../syntax/SyntaxParser.ts';
import type { TextEdit } from './TextEdit.ts';

/** Smaller ones are parsed quickly enough; UTF-16 units. */
export const WORTH_KEEPING = 2000;

export class WarmSegment {
  readonly tree: SyntaxTree;
  /** Index in the file's text. */
  readonly start: number;
  /** Its text now, as the tree has been told. */
  length: number;

  /** @param tree - Of the segment alone; from now on this one's to delete. */
  constructor(tree: SyntaxTree, start: number, length: number) {
    this.tree = tree;
    this.start = start;
    this.length = length;
  }

  /**
   * Tells the tree of an edit of the file.
   *
   * @returns Whether the edit is inside of the segment, so that the tree is of use.
   */
  edit({ start, oldEnd, newEnd }: TextEdit, before: string, after: string): boolean {
    if (start < this.start || oldEnd > this.start + this.length) return false;
    const old = before.slice(this.start, oldEnd);
    const now = after.slice(this.start, newEnd);
    this.tree.edit({
      startIndex: start - this.start,
      oldEndIndex: old.length,
      newEndIndex: now.length,
      startPosition: pointAt(old, start - this.start),
      oldEndPosition: pointAt(old, old.length),
      newEndPosition: pointAt(now, now.length),
    });
    this.length += newEnd - oldEnd;
    return true;
  }
}

function pointAt(text: string, index: number): Point {
  const { line, character } = positionAt(text, index);
  return { row: line, column: character };
}
