/**
 * The state manager's apps and environments: their GraphQL objects, their history, and the mutations that
 * create and delete them.
 */
import type { BuildRecord } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { isValidName, NAME_RULE } from '../../contract/names.ts';
import { requireScope } from '../auth/authorize.ts';
import type { Principal } from '../auth/keys.ts';
import type { Store } from '../store/store.ts';
import { type EndpointView, remoteEndpoint } from './remoteEndpoint.ts';
import type { Removals } from './removals.ts';
import type { Underway } from './underway.ts';

/** The state that the resolvers of apps and environments use. */
export interface AppsState extends EndpointView {
  store: Store;
  underway: Underway;
  removals: Removals;
}

/** The sender of a request. */
export interface RequestContext {
  principal: Principal;
  /** Aborts when the client has disconnected. */
  gone: AbortSignal;
}

export type Resolver<Args> = (parent: unknown, args: Args, context: RequestContext) => unknown;

/** The mutations of apps and environments. Each requires the scope `deploy`. */
export function appMutations(state: AppsState) {
  const { endpoints, removals, store } = state;
  const undeploy: Resolver<{ app: string; environment: string; names?: string[] | null }> = (
    _parent,
    { app, environment, names },
    { principal },
  ) => {
    requireScope(principal, 'deploy');
    return removals.undeploy(app, environment, names ?? null);
  };
  const createApp: Resolver<{ name: string }> = async (_parent, { name }, { principal }) => {
    requireScope(principal, 'deploy');
    requireName('app', name);
    if (endpoints.hasApp(name)) throw existsAlready(`The app "${name}"`);
    await store.deployed.createApp(name);
    endpoints.addApp(name);
    return appBody(state, name);
  };
  const deleteApp: Resolver<{ name: string }> = async (_parent, { name }, { principal }) => {
    requireScope(principal, 'deploy');
    const before = appBody(state, name);
    await removals.deleteApp(name);
    return before;
  };
  const createEnvironment: Resolver<{ app: string; name: string }> = async (
    _parent,
    { app, name },
    { principal },
  ) => {
    requireScope(principal, 'deploy');
    requireName('environment', name);
    removals.requireApp(app);
    await state.underway.exclusively(app, name, async () => {
      if (endpoints.environment(app, name)) throw existsAlready(`The environment ${app}/${name}`);
      const row = { app, name, build: 0, revision: 0, last_build: 0 };
      await store.deployed.createEnvironment(row);
      endpoints.addApp(app);
      endpoints.setEnvironment(row);
    });
    return environmentBody(state, app, name);
  };
  const deleteEnvironment: Resolver<{ app: string; name: string }> = async (
    _parent,
    { app, name },
    { principal },
  ) => {
    requireScope(principal, 'deploy');
    const before = environmentBody(state, app, name);
    await removals.deleteEnvironment(app, name);
    return before;
  };
  return { undeploy, createApp, deleteApp, createEnvironment, deleteEnvironment };
}

export function appBody(state: AppsState, name: string) {
  const environments = state.endpoints.environmentsOf(name);
  return { name, environments: environments.map((row) => environmentBody(state, name, row.name)) };
}

/** Null if the environment does not exist and has no live endpoints. */
export function environmentBody(state: EndpointView, app: string, name: string) {
  const environment = state.endpoints.environment(app, name);
  const endpoints = state.endpoints.of(app, name);
  if (!environment && endpoints.length === 0) return null;
  const { build, revision } = environment ?? { build: 0, revision: 0 };
  return { app, name, build, revision, endpoints: endpoints.map((one) => remoteEndpoint(state, one)) };
}

/** The builds of an environment, newest first. If nothing is deployed any more, none of them is current. */
export async function readHistory(
  { store, endpoints }: AppsState,
  app: string,
  environment: string,
): Promise<BuildRecord[]> {
  const rows = await store.builds.history(app, environment);
  const current = endpoints.environment(app, environment)?.build ?? 0;
  return rows.map((row) => ({
    build: row.number,
    time: row.created,
    endpoints: JSON.parse(row.endpoints) as string[],
    current: row.number === current,
  }));
}

function requireName(what: string, name: string): void {
  if (isValidName(name)) return;
  throw new ToolkitError('BAD_REQUEST', `"${name}" is not a valid ${what} name: use ${NAME_RULE}.`, {
    hint: 'Choose another name.',
  });
}

function existsAlready(what: string): ToolkitError {
  return new ToolkitError('CONFLICT', `${what} already exists.`, { hint: 'Choose another name.' });
}
