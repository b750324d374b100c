/** The sum of maximum workers over the account's quota: found at each declaration that contributes. */
import { maxWorkers } from '../declarations/quotaShares.ts';
import { finding, type Rule } from './Finding.ts';

export const workerQuota: Rule = (index, { quota }) => {
  const { excess } = index;
  if (!excess) return [];
  return index.declarations.flatMap((declaration) => {
    const max = maxWorkers(declaration);
    if (max === 0) return [];
    const { file, given, call, workers } = declaration;
    const share = workers.state === 'absent' ? `${max} by default` : String(max);
    return [
      finding('worker-quota', {
        file,
        range: given.workers?.expression.range ?? call.calleeRange,
        message: `The maximum workers of all endpoints add up to ${excess.sum}, over the quota of ${quota} (${excess.shares}); this one has ${share}.`,
        fix: `Reduce workers, for example to ${declaration.form === 'table' ? '[0, 1]' : '(0, 1)'}, or remove unused endpoints.`,
      }),
    ];
  });
};
