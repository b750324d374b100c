/** `workers` that is no pair (min, max) of whole numbers with min ≤ max. */
import { invalidOutcome } from './invalidOutcome.ts';
import type { Rule } from './rule.ts';

export const invalidWorkers: Rule = (index) =>
  index.declarations.flatMap((item) =>
    invalidOutcome('invalid-workers', item, item.given.workers, item.workers),
  );
