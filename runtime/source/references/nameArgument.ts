/** A declaration that has no name of its own → the edit that gives it one. */
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { RenameEdit } from './RenameEdit.ts';

/** Adds `name="…"` as the first argument, or replaces `name=None`; null when neither is possible. */
export function nameArgument(
  project: ProjectView,
  { form, file, call, given }: Declaration,
  name: string,
): Omit<RenameEdit, 'reason'> | null {
  if (form === 'table') return null;
  if (given.name) {
    const { expression } = given.name;
    const isOwn = call.arguments.some(({ value, spread }) => value === expression && spread === null);
    return isOwn ? { file, range: expression.range, text: `"${name}"` } : null;
  }
  const { start } = call.range;
  const list = project.withTree(file, (root) => {
    const calls = root.descendantsOfType('call');
    const own = calls.find(({ startPosition: { row, column } }) => {
      return row === start.line && column === start.character;
    });
    return own?.childForFieldName('arguments')?.startPosition ?? null;
  });
  if (!list) return null;
  const at = { line: list.row, character: list.column + 1 };
  const text = call.arguments.length > 0 ? `name="${name}", ` : `name="${name}"`;
  return { file, range: { start: at, end: at }, text };
}
