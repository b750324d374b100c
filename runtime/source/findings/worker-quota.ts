import { DEFAULTS } from '../../contract/limits.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import { maxWorkers, quotaShares } from '../declarations/quotaShares.ts';
import { addArgument, isDirect, workersPair } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt, declarationCalledAt } from '../fixes/findPlace.ts';
import { SourceText } from '../fixes/SourceText.ts';
import type { TextEdit } from '../fixes/TextEdit.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { Finding } from './Finding.ts';

/**
 * The maximum workers of all endpoints add up to more than the account can have: 30, or `quota` under
 * `[tool.toolkit]`. An endpoint without `workers` counts with its default, 3. The error is shown at every
 * endpoint that adds to the sum.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(0, 20))
 * def count(text: str):
 *     """Count words."""
 *
 * @Endpoint(workers=(0, 20))
 * def shout(text: str):
 *     """Write in capitals."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(0, 20))
 * def count(text: str):
 *     """Count words."""
 *
 * @Endpoint(workers=(0, 10))
 * def shout(text: str):
 *     """Write in capitals."""
 * ```
 */
export const workerQuota: Finding = {
  code: 'worker-quota',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  *find(index, { quota }) {
    const excess = index.ask.excess(null);
    if (!excess) return;
    for (const declaration of index.declarations) {
      const max = maxWorkers(declaration);
      if (max === 0) continue;
      const { file, given, call, workers } = declaration;
      const share = workers.state === 'absent' ? `${max}, the default` : String(max);
      yield {
        file,
        range: given.workers?.expression.range ?? call.calleeRange,
        message: `The maximum workers of all endpoints add up to ${excess.sum}, over the quota of ${quota} (${excess.shares}); this one accounts for ${share}.`,
        fix:
          max === 1
            ? 'Remove unused endpoints, or reduce the workers of those that have more than one.'
            : `Reduce workers, for example to ${declaration.form === 'table' ? '[0, 1]' : '(0, 1)'}, or remove unused endpoints.`,
      };
    }
  },
  fixes: [lowerOne, lowerAll],
};

/** Lowers the workers of one declaration to what the others leave of the quota. */
function* lowerOne(request: FixRequest): Fixes {
  const { project, index } = request;
  const declaration = argumentAt(request)?.declaration ?? declarationCalledAt(request);
  if (!declaration) return;
  const { quota } = project.config;
  const others = index.declarations.filter((other) => other !== declaration);
  const name = effectiveName(declaration);
  const room = quota - quotaShares(others).sum;
  // Another declaration of the same name may count instead.
  const isBound = others.some(
    (other) => name !== null && effectiveName(other) === name && maxWorkers(other) > 0,
  );
  if (isBound || room < 1 || room >= maxWorkers(declaration)) return;
  const edits = lowered(project, declaration, room);
  const title = `Lower the maximum workers to ${room}, to fit the quota of ${quota}`;
  if (edits) yield { title, file: declaration.file, edits, preferred: true };
}

/** Lowers all declarations to the largest maximum with which they fit the quota. */
function* lowerAll({ project, index: { declarations } }: FixRequest): Fixes {
  const { quota } = project.config;
  const shares = [...quotaShares(declarations).byName.values()];
  const sumAt = (most: number) => shares.reduce((sum, share) => sum + Math.min(share, most), 0);
  let most = Math.max(0, ...shares);
  while (most > 0 && sumAt(most) > quota) most -= 1;
  if (most < 1) return;
  const edits = new Map<string, TextEdit[]>();
  for (const declaration of declarations) {
    if (maxWorkers(declaration) <= most) continue;
    const made = lowered(project, declaration, most);
    if (!made) return;
    edits.set(declaration.file, [...(edits.get(declaration.file) ?? []), ...made]);
  }
  yield { title: `Lower all maximum workers to at most ${most}, to fit the quota of ${quota}`, edits };
}

/** Null when workers are given in `**settings`. */
function lowered(project: ProjectView, declaration: Declaration, most: number): TextEdit[] | null {
  const source = SourceText.of(project, declaration.file);
  const { given, workers } = declaration;
  if (!source || (given.workers && !isDirect(declaration, given.workers))) return null;
  const min = workers.state === 'known' ? workers.value.min : DEFAULTS.workersMin;
  const newText = workersPair(declaration, Math.min(min, most), most);
  if (!given.workers) return addArgument(source, declaration, ['workers', newText]);
  return [{ range: given.workers.expression.range, newText }];
}
