/** The sum of maximum workers over the account's quota: found at each declaration that contributes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { spokenName } from '../declarations/Declaration.ts';
import { maxWorkers, quotaShares } from '../declarations/quotaShares.ts';
import { finding, type Rule } from './rule.ts';

/** Endpoints that a message names, the largest first. */
const MAX_SHARES = 6;

export const workerQuota: Rule = (index, { quota }) => {
  const { byName, sum } = quotaShares(index.declarations);
  if (sum <= quota) return [];
  const largest = [...byName].sort(([, a], [, b]) => b - a);
  const shares = largest.slice(0, MAX_SHARES).map(([name, max]) => {
    const unnamed = name.startsWith('#') ? index.declarations[Number(name.slice(1))] : undefined;
    return `${unnamed ? `an ${spokenName(unnamed)}` : name} ${max}`;
  });
  if (largest.length > MAX_SHARES) shares.push(`${largest.length - MAX_SHARES} more`);
  return index.declarations.flatMap((declaration): Diagnostic[] => {
    const max = maxWorkers(declaration);
    if (max === 0) return [];
    const { file, given, call, workers } = declaration;
    const share = workers.state === 'absent' ? `${max} by default` : String(max);
    return [
      finding('worker-quota', {
        file,
        range: given.workers?.expression.range ?? call.calleeRange,
        message: `The maximum workers of all endpoints add up to ${sum}, over the quota of ${quota} (${shares.join(', ')}); this one has ${share}.`,
        fix: `Reduce workers, for example to ${declaration.form === 'table' ? '[0, 1]' : '(0, 1)'}, or remove unused endpoints.`,
      }),
    ];
  });
};
