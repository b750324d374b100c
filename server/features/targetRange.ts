/** A target → the range of its name in the text, without the quotes of a string. */
import type { Range } from '../../runtime/contract/diagnostic.ts';
import { contentRange } from '../../runtime/source/references/renameName.ts';
import type { Target } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';

export function targetRange(project: ProjectView, target: Target): Range {
  if (target.kind === 'symbol') return target.range;
  const { file, range } = target.literal;
  return contentRange(project.textOf(file) ?? '', range) ?? range;
}
