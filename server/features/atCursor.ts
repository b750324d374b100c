/** A position in a Python document → the unfinished code there, and its scope. */
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { type Cursor, cursorAt, lineOf } from './cursor.ts';
import type { PythonContext } from './feature.ts';

/** The context of a request about a position where the user is writing. */
export interface CursorContext extends PythonContext {
  cursor: Cursor;
  /** The scope of the innermost function or class around the cursor that is in the file's facts, else the module's. */
  scope: number;
}

export function atCursor(context: PythonContext, position: Position): CursorContext {
  const cursor = cursorAt(context.document.text, position);
  return { ...context, cursor, scope: scopeAt(context, cursor) };
}

function scopeAt({ document }: PythonContext, cursor: Cursor): number {
  for (const { start, name } of cursor.blocks.toReversed()) {
    const line = lineOf(cursor, start) + 1;
    const found = document.facts.definitions.find((one) => one.line === line && one.name === name);
    if (found) return found.body;
  }
  return 0;
}
