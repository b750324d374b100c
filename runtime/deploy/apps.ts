/** Lists, creates and deletes apps and environments on a platform. */
import { ENDPOINT_FIELDS, type PlatformClient, type RemoteEnvironment } from './platformClient.ts';

/** An app with its environments. */
export interface RemoteApp {
  name: string;
  environments: RemoteEnvironment[];
}

const ENVIRONMENT_FIELDS = `app name build revision endpoints { ${ENDPOINT_FIELDS} }`;
const APP_FIELDS = `name environments { ${ENVIRONMENT_FIELDS} }`;

/** Every app that the key can access. */
export async function listApps(client: PlatformClient, signal: AbortSignal): Promise<RemoteApp[]> {
  return (await client.query<{ apps: RemoteApp[] }>(`query { apps { ${APP_FIELDS} } }`, {}, signal)).apps;
}

/** @throws ToolkitError CONFLICT if an app of that name exists. */
export async function createApp(
  client: PlatformClient,
  name: string,
  signal: AbortSignal,
): Promise<RemoteApp> {
  const query = `mutation($name: String!) { createApp(name: $name) { ${APP_FIELDS} } }`;
  return (await client.query<{ createApp: RemoteApp }>(query, { name }, signal)).createApp;
}

/**
 * Removes an app with its environments and endpoints. Returns the removed app.
 *
 * @throws ToolkitError APP_NOT_FOUND.
 */
export async function deleteApp(
  client: PlatformClient,
  name: string,
  signal: AbortSignal,
): Promise<RemoteApp> {
  const query = `mutation($name: String!) { deleteApp(name: $name) { ${APP_FIELDS} } }`;
  return (await client.query<{ deleteApp: RemoteApp }>(query, { name }, signal)).deleteApp;
}

/** @throws ToolkitError CONFLICT if the app has an environment of that name. */
export async function createEnvironment(
  client: PlatformClient,
  app: string,
  name: string,
  signal: AbortSignal,
): Promise<RemoteEnvironment> {
  const query = `mutation($app: String!, $name: String!) {
    createEnvironment(app: $app, name: $name) { ${ENVIRONMENT_FIELDS} }
  }`;
  const made = await client.query<{ createEnvironment: RemoteEnvironment }>(query, { app, name }, signal);
  return made.createEnvironment;
}

/**
 * Removes an environment with its endpoints. Returns the removed environment.
 *
 * @throws ToolkitError ENVIRONMENT_NOT_FOUND.
 */
export async function deleteEnvironment(
  client: PlatformClient,
  app: string,
  name: string,
  signal: AbortSignal,
): Promise<RemoteEnvironment> {
  const query = `mutation($app: String!, $name: String!) {
    deleteEnvironment(app: $app, name: $name) { ${ENVIRONMENT_FIELDS} }
  }`;
  const gone = await client.query<{ deleteEnvironment: RemoteEnvironment }>(query, { app, name }, signal);
  return gone.deleteEnvironment;
}
