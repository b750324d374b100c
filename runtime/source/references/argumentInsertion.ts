/** A declaration without a name → the edit that gives it one. */

import type { Declaration } from '../index/Declaration.ts';
import type { ProjectView } from '../live/ProjectView.ts';
import type { RenameEdit } from './RenameEdit.ts';

/** Puts `name="…"` first among the arguments; null where there is no call that can take it. */
export function argumentInsertion(
  project: ProjectView,
  { form, file, call }: Declaration,
  name: string,
): Omit<RenameEdit, 'reason'> | null {
  if (form === 'table') return null;
  const { start } = call.range;
  const place = project.withTree(file, (root) => {
    const list = root
      .descendantsOfType('call')
      .find(({ startPosition: { row, column } }) => row === start.line && column === start.character)
      ?.childForFieldName('arguments');
    return list?.startPosition ?? null;
  });
  if (!place) return null;
  const at = { line: place.row, character: place.column + 1 };
  const text = call.arguments.length > 0 ? `name="${name}", ` : `name="${name}"`;
  return { file, range: { start: at, end: at }, text };
}
