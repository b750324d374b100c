/** Declarations → the maximum workers that each endpoint may start, which the account's quota limits together. */
import { DEFAULTS } from '../../contract/limits.ts';
import { type Declaration, effectiveName } from './Declaration.ts';

export interface QuotaShares {
  /** By endpoint; one whose name is dynamic stands under `#` and its place among the declarations. */
  byName: Map<string, number>;
  sum: number;
}

/** Declarations of one name are one endpoint, of which the larger one counts. */
export function quotaShares(declarations: readonly Declaration[]): QuotaShares {
  const byName = new Map<string, number>();
  for (const [place, declaration] of declarations.entries()) {
    const max = maxWorkers(declaration);
    if (max === 0) continue;
    const name = effectiveName(declaration) ?? `#${place}`;
    byName.set(name, Math.max(byName.get(name) ?? 0, max));
  }
  return { byName, sum: [...byName.values()].reduce((total, max) => total + max, 0) };
}

/** What one declaration contributes; dynamic and wrong values do not count. */
export function maxWorkers({ workers }: Declaration): number {
  if (workers.state === 'known') return workers.value.max;
  return workers.state === 'absent' ? DEFAULTS.workersMax : 0;
}
