/**
 * The state manager's resolvers. They connect the fields of the GraphQL schema to the platform's rooms and
 * check the required scope.
 */
import type { DeployInput } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { mayInvoke, requireScope } from '../auth/authorize.ts';
import { type Keys, parseScope } from '../auth/keys.ts';
import type { LogsOf } from '../workers/logs.ts';
import { readLogs } from '../workers/logs.ts';
import {
  type AppsState,
  appBody,
  appMutations,
  environmentBody,
  type Resolver,
  readHistory,
} from './appsAndEnvironments.ts';
import type { Deployer } from './deployer.ts';
import { type PartArgs, readPart, readSecrets } from './readArguments.ts';
import { remoteEndpoint } from './remoteEndpoint.ts';
import type { Rollouts } from './rollouts.ts';
import { type RunsState, runs } from './runs.ts';
import type { Uploads } from './uploads.ts';

/** The state that the resolvers use. */
export interface StateManager extends AppsState, RunsState {
  keys: Keys;
  deployer: Deployer;
  rollouts: Rollouts;
  uploads: Uploads;
  quota: number;
  logsOf: LogsOf;
}

interface PlanArgs {
  app: string;
  environment: string;
  manifest: unknown;
  secrets: unknown;
}

type DeployArgs = PlanArgs & { parts: PartArgs[]; revision?: number | null; allowRemovals: boolean };

interface LogArgs {
  endpoint: string;
  worker?: string | null;
  since?: string | null;
  cursor?: string | null;
  limit?: number | null;
}

export function createResolvers(state: StateManager) {
  return {
    Query: { ...queries(state) },
    Mutation: { ...mutations(state) },
  };
}

function queries(state: StateManager) {
  const account: Resolver<object> = (_parent, _args, { principal }) => ({
    name: 'embedded',
    quota: state.quota,
    workersMax: state.endpoints
      .all()
      .reduce((sum, { run, spec }) => sum + (run === null ? spec.workersMax : 0), 0),
    scope: principal.scope,
  });
  const apps: Resolver<object> = (_parent, _args, { principal }) => {
    requireScope(principal, 'deploy');
    return state.endpoints.apps().map((name) => appBody(state, name));
  };
  const environment: Resolver<{ app: string; name: string }> = (_parent, { app, name }, { principal }) => {
    requireScope(principal, 'deploy');
    return environmentBody(state, app, name);
  };
  const endpoint: Resolver<{ app: string; environment: string; name: string }> = async (
    _parent,
    args,
    { principal },
  ) => {
    const run = principal.within?.run ?? null;
    const found =
      run === null
        ? state.endpoints.find(args.app, args.environment, args.name)
        : await state.liveRuns.lookUp(run, args.name);
    return found && mayInvoke(principal, found) ? remoteEndpoint(state, found) : null;
  };
  const plan: Resolver<{ input: PlanArgs }> = (_parent, { input }, { principal }) => {
    requireScope(principal, 'deploy');
    return state.deployer.plan({ ...input, secrets: readSecrets(input.secrets) });
  };
  const deployment: Resolver<{ id: string }> = (_parent, { id }, { principal }) => {
    requireScope(principal, 'deploy');
    return state.rollouts.find(id);
  };
  const logs: Resolver<LogArgs> = async (
    _parent,
    { endpoint: id, worker, since, cursor, limit },
    { principal },
  ) => {
    requireScope(principal, 'deploy');
    if (!state.endpoints.get(id))
      throw new ToolkitError('ENDPOINT_NOT_FOUND', `There is no endpoint "${id}".`);
    return readLogs(await state.logsOf(id), {
      worker: worker ?? null,
      since: since ?? null,
      cursor: cursor ?? null,
      limit: limit ?? null,
      running: new Set(state.workers.of(id).map((each) => each.id)),
    });
  };
  const history: Resolver<{ app: string; environment: string }> = (_parent, args, { principal }) => {
    requireScope(principal, 'deploy');
    return readHistory(state, args.app, args.environment);
  };
  const keys: Resolver<object> = (_parent, _args, { principal }) => {
    requireScope(principal, 'owner');
    return state.keys.list();
  };
  return { account, apps, environment, endpoint, plan, deployment, logs, history, keys };
}

function mutations(state: StateManager) {
  const prepareUpload: Resolver<{ parts: PartArgs[] }> = (_parent, { parts }, { principal }) => {
    requireScope(principal, 'deploy');
    return state.uploads.prepare(parts.map(readPart));
  };
  const deploy: Resolver<{ input: DeployArgs }> = (_parent, { input }, { principal }) => {
    requireScope(principal, 'deploy');
    return state.deployer.deploy({
      app: input.app,
      environment: input.environment,
      // decodeManifest validates it before anything reads it.
      manifest: input.manifest as DeployInput['manifest'],
      parts: input.parts.map(readPart),
      secrets: readSecrets(input.secrets),
      revision: input.revision ?? null,
      allowRemovals: input.allowRemovals,
    });
  };
  const createKey: Resolver<{ scope: string; name?: string | null; endpoints?: string[] | null }> = (
    _parent,
    { scope, name, endpoints },
    { principal },
  ) => {
    requireScope(principal, 'owner');
    const known = parseScope(scope);
    if (!known)
      throw new ToolkitError('BAD_REQUEST', `There is no scope "${scope}".`, {
        hint: 'Use owner, deploy or invoke.',
      });
    if (endpoints && known !== 'invoke')
      throw new ToolkitError('BAD_REQUEST', 'Only an invoke key can be restricted to certain endpoints.');
    return state.keys.create(known, name ?? null, endpoints ?? null);
  };
  const revokeKey: Resolver<{ id: string }> = (_parent, { id }, { principal }) => {
    requireScope(principal, 'owner');
    return state.keys.revoke(id);
  };
  return { prepareUpload, deploy, createKey, revokeKey, ...appMutations(state), ...runs(state) };
}
