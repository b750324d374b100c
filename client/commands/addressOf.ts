/** The URLs of deployed endpoints and routes. */
import type { RemoteEndpoint } from '../../runtime/contract/deployment.ts';
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';
import type { Deployments } from '../deployed/Deployments.ts';
import type { Entry } from '../explorer/nodes.ts';

/** The URL of the target of a lens or the cursor; null if it is not deployed. */
export function targetAddress(deployments: Deployments, target: LensTarget): string | null {
  const { deployed } = deployments.of(target.root);
  const remote = deployed?.endpoints.find(({ name }) => name === target.endpoint);
  return remoteAddress(remote, target.route?.path ?? null);
}

/** The URL of an entry of the explorer, even if it is no longer declared; null if it is not deployed. */
export function entryAddress(entry: Entry): string | null {
  if (entry.type === 'route') return remoteAddress(entry.parent.remote, entry.route.path);
  return 'remote' in entry ? remoteAddress(entry.remote, null) : null;
}

/** @param path - Path of a route; null for a queue-based function or a whole instance. */
function remoteAddress(remote: RemoteEndpoint | undefined, path: string | null): string | null {
  if (!remote) return null;
  if (path !== null) return `${remote.url}${path}`;
  return remote.kind === 'queue' ? `${remote.url}/runsync` : remote.url;
}
