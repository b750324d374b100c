/** How long a function can take until its response begins. */
import type { EndpointSpec } from '../../contract/appSpec.ts';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';

/**
 * Added for the toolkit's own worker, which enforces execution_timeout itself: the gateway steps in only if it
 * does not.
 */
const GRACE_MS = 2_000;

/** In milliseconds from the request. */
export function timeLimit({ executionTimeout, command }: EndpointSpec): number {
  if (executionTimeout === null) return GATEWAY_LIMITS.processing;
  return executionTimeout * 1000 + (command ? 0 : GRACE_MS);
}
