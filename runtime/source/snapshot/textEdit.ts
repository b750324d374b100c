/** Finds and joins the ranges of a text that edits replace. */
import type { TextEdit } from '../binder/TextEdit.ts';

/** The edit that turns one text into another, without their common beginning and end. */
export function wholeTextEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { start, oldEnd: before.length - tail, newEnd: after.length - tail };
}

/** One edit that covers an edit and the one that follows it. */
export function joinEdits(first: TextEdit | null, next: TextEdit): TextEdit {
  if (!first) return next;
  const end = Math.max(first.newEnd, next.oldEnd);
  return {
    start: Math.min(first.start, next.start),
    oldEnd: first.oldEnd + end - first.newEnd,
    newEnd: end + next.newEnd - next.oldEnd,
  };
}
