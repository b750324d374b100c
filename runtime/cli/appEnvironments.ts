/** The environments of this project's app. */
import { ToolkitError } from '../contract/errors.ts';
import { listApps } from '../deploy/apps.ts';
import type { PlatformClient, RemoteEnvironment } from '../deploy/platformClient.ts';
import { connect } from './connect.ts';
import { openProject } from './openProject.ts';
import type { Session } from './session.ts';

export interface AppEnvironments {
  client: PlatformClient;
  app: string;
  /** The environment that the flags and settings select. */
  environment: string;
  environments: RemoteEnvironment[];
}

/** @throws ToolkitError APP_NOT_FOUND, listing the existing apps. */
export async function openEnvironments(session: Session): Promise<AppEnvironments> {
  const { context, settings } = await openProject(session);
  const client = await connect(session, settings);
  const apps = await listApps(client, session.signal);
  const found = apps.find(({ name }) => name === context.app);
  if (found) return { client, ...context, environments: found.environments };
  throw new ToolkitError('APP_NOT_FOUND', `There is no app "${context.app}" on ${client.url}.`, {
    hint: `Run "toolkit deploy" or "toolkit app create ${context.app}" to create it.${
      apps.length > 0 ? ` Existing apps: ${apps.map(({ name }) => name).join(', ')}.` : ''
    }`,
  });
}

/** @throws ToolkitError ENVIRONMENT_NOT_FOUND, listing the existing environments. */
export function findEnvironment({ app, environments }: AppEnvironments, name: string): RemoteEnvironment {
  const found = environments.find((environment) => environment.name === name);
  if (found) return found;
  throw new ToolkitError('ENVIRONMENT_NOT_FOUND', `The app "${app}" has no environment "${name}".`, {
    hint:
      environments.length > 0
        ? `Existing environments: ${environments.map((environment) => environment.name).join(', ')}.`
        : 'The app has no environments yet. "toolkit deploy" creates one.',
  });
}
