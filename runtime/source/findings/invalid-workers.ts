/** `workers` that is no pair (min, max) of whole numbers with min ≤ max. */

import type { Rule } from './Finding.ts';
import { invalidOutcome } from './invalidOutcome.ts';

export const invalidWorkers: Rule = (index) =>
  index.declarations.flatMap((item) =>
    invalidOutcome('invalid-workers', item, item.given.workers, item.workers),
  );
