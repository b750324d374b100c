/** A `cpu` that is not of the form `cpu<generation>-<vcpu>-<ram_gb>`. */
import { invalidOutcome } from './invalidOutcome.ts';
import type { Rule } from './rule.ts';

export const invalidCpu: Rule = (index) =>
  index.declarations.flatMap((item) => invalidOutcome('invalid-cpu', item, item.given.cpu, item.cpu));
