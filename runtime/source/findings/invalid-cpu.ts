/** A `cpu` that is not of the form `cpu<generation>-<vcpu>-<ram_gb>`. */

import type { Rule } from './Finding.ts';
import { invalidOutcome } from './invalidOutcome.ts';

export const invalidCpu: Rule = (index) =>
  index.declarations.flatMap((item) => invalidOutcome('invalid-cpu', item, item.given.cpu, item.cpu));
