/** The sum of maximum workers over the account's quota: found at each declaration that contributes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { DEFAULTS } from '../../contract/limits.ts';
import { type Declaration, effectiveName } from '../index/Declaration.ts';
import { finding, type Rule } from './rule.ts';

/** Endpoints that a message names, the largest first. */
const MAX_SHARES = 6;

export const workerQuota: Rule = (index, { quota }) => {
  // Declarations of one name are one endpoint; the larger one counts.
  const byName = new Map<string, number>();
  const contributors: { declaration: Declaration; max: number }[] = [];
  for (const [place, declaration] of index.declarations.entries()) {
    const max = maxWorkers(declaration);
    if (max === 0) continue;
    contributors.push({ declaration, max });
    const name = effectiveName(declaration) ?? `#${place}`;
    byName.set(name, Math.max(byName.get(name) ?? 0, max));
  }
  const largest = [...byName].sort(([, a], [, b]) => b - a);
  const shares = largest
    .slice(0, MAX_SHARES)
    .map(([name, max]) => `${name.startsWith('#') ? 'a dynamic name' : name} ${max}`);
  if (largest.length > MAX_SHARES) shares.push(`${largest.length - MAX_SHARES} more`);
  const sum = [...byName.values()].reduce((total, max) => total + max, 0);
  if (sum <= quota) return [];
  return contributors.map(({ declaration, max }): Diagnostic => {
    const { file, given, call, workers } = declaration;
    const share = workers.state === 'absent' ? `${max} by default` : String(max);
    return finding('worker-quota', {
      file,
      range: given.workers?.expression.range ?? call.calleeRange,
      message: `The maximum workers of all endpoints add up to ${sum}, over the quota of ${quota} (${shares.join(', ')}); this one has ${share}.`,
      fix: `Reduce workers, for example to ${declaration.form === 'table' ? '[0, 1]' : '(0, 1)'}, or remove unused endpoints.`,
    });
  });
};

/** Dynamic and wrong values do not count. */
function maxWorkers({ workers }: Declaration): number {
  if (workers.state === 'known') return workers.value.max;
  return workers.state === 'absent' ? DEFAULTS.workersMax : 0;
}
