/** Whether a position stands in a range. */
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';

/** The end counts: an editor asks there for what stands before the cursor. */
export function isIn({ start, end }: Range, { line, character }: Position): boolean {
  if (line < start.line || line > end.line) return false;
  return (
    !(line === start.line && character < start.character) && !(line === end.line && character > end.character)
  );
}
