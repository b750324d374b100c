/** Declarations → the maximum workers of each endpoint. The account's quota limits their sum. */
import { DEFAULTS } from '../../contract/limits.ts';
import { type Declaration, effectiveName, spokenName } from './Declaration.ts';

export interface QuotaShares {
  /** By endpoint name; if the name is not known, by `#` and the index of the declaration. */
  byName: Map<string, number>;
  sum: number;
}

/** A sum above the account's quota. */
export interface QuotaExcess {
  sum: number;
  /** The largest shares, as text for a message. */
  shares: string;
}

/** Maximum number of endpoints that a message names. */
const MAX_SHARES = 6;

/** Null if all declarations together are within the quota. */
export function quotaExcess(declarations: readonly Declaration[], quota: number): QuotaExcess | null {
  const { byName, sum } = quotaShares(declarations);
  if (sum <= quota) return null;
  const largest = [...byName].sort(([, a], [, b]) => b - a);
  const shares = largest.slice(0, MAX_SHARES).map(([name, max]) => {
    const unnamed = name.startsWith('#') ? declarations[Number(name.slice(1))] : undefined;
    return `${unnamed ? `an ${spokenName(unnamed)}` : name} ${max}`;
  });
  if (largest.length > MAX_SHARES) shares.push(`${largest.length - MAX_SHARES} more`);
  return { sum, shares: shares.join(', ') };
}

/** Declarations with the same name are one endpoint, whose largest share counts. */
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

/** The share of one declaration; dynamic and invalid values do not count. */
export function maxWorkers({ alternative, workers }: Declaration): number {
  if (alternative) return 0;
  if (workers.state === 'known') return workers.value.max;
  return workers.state === 'absent' ? DEFAULTS.workersMax : 0;
}
