/** A declaration without a `name` argument → the edit that adds one. */
import type { Position } from '../../contract/diagnostic.ts';
import type { Declaration } from '../declarations/Declaration.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { runSteps } from '../steps.ts';
import { comparePositions, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { RenameEdit } from './RenameEdit.ts';
import { containsLine } from './statementsAt.ts';

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
  const found: Position[] = [];
  const walk = (root: SyntaxNode) => {
    const own = root
      .descendantsOfType('call')
      .find((one) => comparePositions(rangeOf(one).start, start) === 0);
    const list = own?.childForFieldName('arguments')?.startPosition;
    if (list) found.push({ line: list.row, character: list.column + 1 });
  };
  runSteps(project.withSegments(file, containsLine([start]), walk));
  const [at] = found;
  if (!at) return null;
  const text = call.arguments.length > 0 ? `name="${name}", ` : `name="${name}"`;
  return { file, range: { start: at, end: at }, text };
}
