/** Finds the deployed endpoint that a command names. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { LIVE_PREFIX } from '../contract/names.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import { connect } from './connect.ts';
import { type OpenProject, openProject } from './openProject.ts';
import type { Session } from './session.ts';

export interface Deployed extends OpenProject {
  client: PlatformClient;
  endpoint: RemoteEndpoint;
}

/**
 * The endpoint with this name in the project's environment; for the name of a live endpoint, that of the project's
 * newest dev server.
 *
 * @throws ToolkitError ENDPOINT_NOT_FOUND, listing the deployed endpoints.
 */
export async function findDeployed(session: Session, name: string): Promise<Deployed> {
  const project = await openProject(session);
  const { app, environment } = project.context;
  const client = await connect(session, project.settings);
  const endpoint =
    (await client.endpoint(app, environment, name, session.signal)) ??
    (await findLive(client, project, name, session.signal));
  if (endpoint) return { ...project, client, endpoint };
  const there =
    (await client.environment(app, environment, session.signal))?.endpoints.map((other) => other.name) ?? [];
  throw new ToolkitError(
    'ENDPOINT_NOT_FOUND',
    `No endpoint "${name}" is deployed in ${app}/${environment}.`,
    {
      hint:
        there.length > 0
          ? `Deployed endpoints: ${there.join(', ')}.`
          : 'Run "toolkit deploy" first, or choose another environment with --env.',
    },
  );
}

async function findLive(
  client: PlatformClient,
  { reading, settings, context: { app, environment } }: OpenProject,
  name: string,
  signal: AbortSignal,
): Promise<RemoteEndpoint | null> {
  if (!name.startsWith(LIVE_PREFIX)) return null;
  const { findDev } = await import('../dev/attach/devRecords.ts');
  const dev = await findDev(settings.toolkitHome, reading.root);
  const there = dev && (await client.environment(app, environment, signal));
  return there?.endpoints.find((one) => one.run === dev?.run && one.name === name) ?? null;
}
