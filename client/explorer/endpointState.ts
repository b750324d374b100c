/** The state of an endpoint in one word, from the language server, the platform and the plan. */
import type { PendingChanges } from '../../runtime/contract/coreMessages.ts';
import type { RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import type { EndpointNode } from '../../runtime/contract/editorMessages.ts';
import type { Deployment } from '../deployed/Deployments.ts';

/**
 * - `invalid`: cannot be deployed, because its declaration has errors
 * - `failing`: deployed, but its workers fail to start
 * - `changed`: deployed, and a deploy would update it
 * - `deployed`: deployed, without known changes
 * - `declared`: not deployed
 * - `unknown`: may be deployed, but no platform responds
 * - `undeclared`: deployed, but no longer declared
 */
export type EndpointState =
  | 'invalid'
  | 'failing'
  | 'changed'
  | 'deployed'
  | 'declared'
  | 'unknown'
  | 'undeclared';

export function stateOf(
  endpoint: EndpointNode,
  remote: RemoteEndpoint | undefined,
  { deployed, pending }: Deployment,
): EndpointState {
  if (endpoint.problems.some(({ severity }) => severity === 'error')) return 'invalid';
  if (!deployed?.platform) return 'unknown';
  if (!remote) return 'declared';
  if (remote.workers.unhealthy > 0) return 'failing';
  return changesOf(remote.name, pending).length > 0 ? 'changed' : 'deployed';
}

/** Why a deploy would update an endpoint; empty if it would not, or if that is unknown. */
export function changesOf(name: string, pending: PendingChanges | null): string[] {
  if (pending?.state !== 'known') return [];
  return pending.plan.update.find((one) => one.name === name)?.reasons ?? [];
}
