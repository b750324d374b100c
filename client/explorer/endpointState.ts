/** How an endpoint stands: what the language server, the platform and the plan say of it, as one word. */
import type { PendingChanges } from '../../runtime/contract/coreMessages.ts';
import type { RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import type { EndpointNode } from '../../runtime/contract/editorMessages.ts';
import type { Deployment } from '../deployed/Deployments.ts';

/**
 * - `invalid`: it cannot be deployed, its declaration has errors
 * - `failing`: workers of what is deployed do not start
 * - `changed`: deployed, and a deploy would update it
 * - `deployed`: deployed, without known changes
 * - `declared`: not deployed
 * - `unknown`: whether it is deployed is not known, since no platform answers
 * - `undeclared`: deployed, and no declaration has its name any more
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

/** Why a deploy would update an endpoint; empty when it would not, or it is not known. */
export function changesOf(name: string, pending: PendingChanges | null): string[] {
  if (pending?.state !== 'known') return [];
  return pending.plan.update.find((one) => one.name === name)?.reasons ?? [];
}
