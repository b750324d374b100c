/** The address that a command is about: the dev server's while it runs, else the deployed one. */
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';
import type { Entry } from '../explorer/nodes.ts';
import type { Services } from '../Services.ts';

/** Of what is deployed; null when nothing is. */
export function deployedAddress(
  { projects, deployments }: Pick<Services, 'projects' | 'deployments'>,
  target: LensTarget,
): string | null {
  const { deployed } = deployments.of(target.root);
  const remote = deployed?.endpoints.find(({ name }) => name === target.endpoint);
  if (!remote) return null;
  if (target.route) return `${remote.url}${target.route.path}`;
  return projects.endpointOf(target)?.kind === 'queue' ? `${remote.url}/runsync` : remote.url;
}

/** Of an entry of the explorer that is deployed, also where no declaration has its name any more. */
export function entryAddress(entry: Entry): string | null {
  switch (entry.type) {
    case 'endpoint':
    case 'undeclared': {
      const { remote } = entry;
      return remote ? (remote.kind === 'queue' ? `${remote.url}/runsync` : remote.url) : null;
    }
    case 'route':
      return entry.parent.remote ? `${entry.parent.remote.url}${entry.route.path}` : null;
    case 'folder':
    case 'project':
      return null;
  }
}
