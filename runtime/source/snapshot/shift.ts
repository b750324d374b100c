/** Places in a text → where they are after an edit of it. */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { TextChange } from './LiveDocument.ts';

/** What stood before the edit stays, what stood after it moves, and what stood in it ends where the edit ends. */
export function shiftRange({ start, end }: Range, changes: readonly TextChange[]): Range {
  return { start: shiftPosition(start, changes), end: shiftPosition(end, changes) };
}

function shiftPosition(position: Position, changes: readonly TextChange[]): Position {
  let at = position;
  for (const { range, text } of changes) {
    if (!range || isBefore(at, range.start)) continue;
    const end = endOf(range.start, text);
    if (isBefore(at, range.end)) at = end;
    else if (at.line > range.end.line)
      at = { line: at.line + end.line - range.end.line, character: at.character };
    else at = { line: end.line, character: end.character + at.character - range.end.character };
  }
  return at;
}

function endOf({ line, character }: Position, text: string): Position {
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.at(-1)!.length;
  return lines.length === 1
    ? { line, character: character + last }
    : { line: line + lines.length - 1, character: last };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
