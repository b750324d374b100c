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
  /** The one that the flags and settings name. */
  environment: string;
  environments: RemoteEnvironment[];
}

/** @throws ToolkitError APP_NOT_FOUND naming the apps that there are. */
export async function openEnvironments(session: Session): Promise<AppEnvironments> {
  const { context, settings } = await openProject(session);
  const client = await connect(session, settings);
  const apps = await listApps(client, session.signal);
  const found = apps.find(({ name }) => name === context.app);
  if (found) return { client, ...context, environments: found.environments };
  throw new ToolkitError('APP_NOT_FOUND', `There is no app "${context.app}" on ${client.url}.`, {
    hint: `"toolkit deploy" or "toolkit app create ${context.app}" makes it${
      apps.length > 0 ? `; there are: ${apps.map(({ name }) => name).join(', ')}` : ''
    }.`,
  });
}

/** @throws ToolkitError ENVIRONMENT_NOT_FOUND naming those that there are. */
export function findEnvironment({ app, environments }: AppEnvironments, name: string): RemoteEnvironment {
  const found = environments.find((environment) => environment.name === name);
  if (found) return found;
  throw new ToolkitError('ENVIRONMENT_NOT_FOUND', `The app ${app} has no environment "${name}".`, {
    hint:
      environments.length > 0
        ? `There are: ${environments.map((environment) => environment.name).join(', ')}.`
        : 'It has none yet; "toolkit deploy" makes one.',
  });
}
