import { normaliseCpu } from '../fixes/normalise-cpu.ts';
import type { Finding } from './Finding.ts';
import { invalidValues } from './invalidValues.ts';

/**
 * The value of `cpu` does not have the form `cpu<generation>-<vcpu>-<ram_gb>`.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="5c-4-8")
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="cpu5c-4-8")
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const invalidCpu: Finding = {
  code: 'invalid-cpu',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  find: (index) => invalidValues(index, ['cpu']),
  fixes: [normaliseCpu],
};
