/** Typed operations on a platform's deployments: account, plan, upload, roll-out, lookup, logs, history, removal. */
import type {
  BuildRecord,
  DeployInput,
  Deployment,
  PartRef,
  PlanReport,
  RemoteEndpoint,
  UploadTicket,
} from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { Declined, LiveRunPlace, ProvisionInput, Renewal } from '../contract/liveRun.ts';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import { PlatformConnection } from './platformConnection.ts';

/** An environment as `status` shows it. */
export interface RemoteEnvironment {
  app: string;
  name: string;
  build: number;
  revision: number;
  endpoints: RemoteEndpoint[];
}

export interface Account {
  name: string;
  quota: number;
  workersMax: number;
  scope: string;
}

/** Which lines: null asks for all. */
export interface LogQuery {
  worker: string | null;
  /** ISO 8601. */
  since: string | null;
  cursor: string | null;
  /** Most lines of a page; null leaves it to the platform. */
  limit: number | null;
}

export interface LogPage {
  lines: WorkerLogLine[];
  /** Continues after the last line. */
  cursor: string;
}

/** Selects a `RemoteEndpoint`. */
export const ENDPOINT_FIELDS = /* GraphQL */ `
  id name kind url build live run hardware routes
  workers { min max idle initializing running unhealthy }
  jobs { inQueue inProgress completed failed retried }
`;
const PLAN_FIELDS = 'create update { name reasons } unchanged remove';
const DEPLOYMENT_FIELDS = `id state build plan { ${PLAN_FIELDS} } steps { endpoint state detail lines } error { code message hint }`;

/** A platform whose endpoints can be planned, deployed, found, read and removed. */
export class PlatformClient extends PlatformConnection {
  async account(signal: AbortSignal): Promise<Account> {
    const data = await this.query<{ account: Account }>(
      'query { account { name quota workersMax scope } }',
      {},
      signal,
    );
    return data.account;
  }

  async environment(app: string, name: string, signal: AbortSignal): Promise<RemoteEnvironment | null> {
    const query = `query($app: String!, $name: String!) {
      environment(app: $app, name: $name) { app name build revision endpoints { ${ENDPOINT_FIELDS} } }
    }`;
    return (await this.query<{ environment: RemoteEnvironment | null }>(query, { app, name }, signal))
      .environment;
  }

  async endpoint(
    app: string,
    environment: string,
    name: string,
    signal: AbortSignal,
  ): Promise<RemoteEndpoint | null> {
    const query = `query($app: String!, $environment: String!, $name: String!) {
      endpoint(app: $app, environment: $environment, name: $name) { ${ENDPOINT_FIELDS} }
    }`;
    return (await this.query<{ endpoint: RemoteEndpoint | null }>(query, { app, environment, name }, signal))
      .endpoint;
  }

  async plan(
    input: Pick<DeployInput, 'app' | 'environment' | 'manifest' | 'secrets'>,
    signal: AbortSignal,
  ): Promise<PlanReport> {
    const query = `query($input: PlanInput!) { plan(input: $input) { plan { ${PLAN_FIELDS} } revision notes } }`;
    return (await this.query<{ plan: PlanReport }>(query, { input }, signal)).plan;
  }

  async prepareUpload(parts: PartRef[], signal: AbortSignal): Promise<UploadTicket[]> {
    const query = 'mutation($parts: [PartInput!]!) { prepareUpload(parts: $parts) { content missing url } }';
    return (await this.query<{ prepareUpload: UploadTicket[] }>(query, { parts }, signal)).prepareUpload;
  }

  async deploy(input: DeployInput, signal: AbortSignal): Promise<Deployment> {
    const query = `mutation($input: DeployInput!) { deploy(input: $input) { ${DEPLOYMENT_FIELDS} } }`;
    return (await this.query<{ deploy: Deployment }>(query, { input }, signal)).deploy;
  }

  async deployment(id: string, signal: AbortSignal): Promise<Deployment> {
    const query = `query($id: ID!) { deployment(id: $id) { ${DEPLOYMENT_FIELDS} } }`;
    const { deployment } = await this.query<{ deployment: Deployment | null }>(query, { id }, signal);
    if (!deployment)
      throw new ToolkitError('PLATFORM_FAILED', `The platform at ${this.url} lost the deployment ${id}.`, {
        hint: 'Deploy again.',
      });
    return deployment;
  }

  /**
   * Says that a run of `toolkit dev` lives.
   *
   * @param said - Wanted endpoints that will not come, ids of those that the run believes to have, and how long the
   *   platform waits for an answer, milliseconds.
   */
  async renewRun(
    run: LiveRunPlace,
    { declined, serving, wait }: { declined: Declined[]; serving: string[]; wait: number },
    signal: AbortSignal,
  ): Promise<Renewal> {
    const query = `mutation($run: RunInput!, $declined: [DeclinedInput!]!, $serving: [ID!]!, $wait: Int!) {
      renewRun(run: $run, declined: $declined, serving: $serving, wait: $wait) { wanted lost }
    }`;
    const reasons = declined.map(({ name, error }) => ({ name, ...error }));
    const variables = { run, declined: reasons, serving, wait };
    return (await this.query<{ renewRun: Renewal }>(query, variables, signal)).renewRun;
  }

  /** Takes up a run that has ended without its release; false when it is gone, or lives. */
  async resumeRun(run: LiveRunPlace, signal: AbortSignal): Promise<boolean> {
    const query = 'mutation($run: RunInput!) { resumeRun(run: $run) }';
    return (await this.query<{ resumeRun: boolean }>(query, { run }, signal)).resumeRun;
  }

  /** Makes or updates one live endpoint; follow the answer as a deployment. */
  async provision(input: ProvisionInput, signal: AbortSignal): Promise<Deployment> {
    const query = `mutation($input: ProvisionInput!) { provision(input: $input) { ${DEPLOYMENT_FIELDS} } }`;
    return (await this.query<{ provision: Deployment }>(query, { input }, signal)).provision;
  }

  /** Removes live endpoints of a run by their names there; all of them, and the run, without names. */
  async releaseRun(run: string, names: string[] | null, signal: AbortSignal): Promise<string[]> {
    const query = 'mutation($run: ID!, $names: [String!]) { releaseRun(run: $run, names: $names) }';
    return (await this.query<{ releaseRun: string[] }>(query, { run, names }, signal)).releaseRun;
  }

  /** A page of an endpoint's log, oldest line first; with a cursor, what was written after it. */
  async logs(endpoint: string, wanted: LogQuery, signal: AbortSignal): Promise<LogPage> {
    const query = `query($endpoint: ID!, $worker: String, $since: String, $cursor: String, $limit: Int) {
      logs(endpoint: $endpoint, worker: $worker, since: $since, cursor: $cursor, limit: $limit) {
        lines { time level worker request message } cursor
      }
    }`;
    return (await this.query<{ logs: LogPage }>(query, { endpoint, ...wanted }, signal)).logs;
  }

  /** The deploys of an environment, newest first; none when it is not there. */
  async history(app: string, environment: string, signal: AbortSignal): Promise<BuildRecord[]> {
    const query = `query($app: String!, $environment: String!) {
      history(app: $app, environment: $environment) { build time endpoints current }
    }`;
    return (await this.query<{ history: BuildRecord[] }>(query, { app, environment }, signal)).history;
  }

  /** Removes endpoints by name; answers when their workers are gone. */
  async undeploy(app: string, environment: string, names: string[], signal: AbortSignal): Promise<string[]> {
    const query = `mutation($app: String!, $environment: String!, $names: [String!]) {
      undeploy(app: $app, environment: $environment, names: $names)
    }`;
    return (await this.query<{ undeploy: string[] }>(query, { app, environment, names }, signal)).undeploy;
  }
}
