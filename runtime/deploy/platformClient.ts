/** Typed operations on a platform's deployments: account, plan, upload, rollout, lookup, logs, history, removal. */
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
import type { Declined, LiveRunTarget, ProvisionInput, Renewal } from '../contract/liveRun.ts';
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

/** Selects log lines; a null field does not filter. */
export interface LogQuery {
  worker: string | null;
  /** ISO 8601. */
  since: string | null;
  cursor: string | null;
  /** Maximum lines per page; null for the platform's default. */
  limit: number | null;
}

export interface LogPage {
  lines: WorkerLogLine[];
  /** Pass it in the next query to continue after the last line. */
  cursor: string;
}

/** GraphQL selection of a `RemoteEndpoint`. */
export const ENDPOINT_FIELDS = /* GraphQL */ `
  id name kind url build live run hardware routes
  workers { min max idle initializing running unhealthy }
  jobs { inQueue inProgress completed failed retried }
`;
const PLAN_FIELDS = 'create update { name reasons } unchanged remove';
const DEPLOYMENT_FIELDS = `id state build plan { ${PLAN_FIELDS} } steps { endpoint state detail lines } error { code message hint }`;

/** The typed operations of one platform. */
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
      throw new ToolkitError(
        'PLATFORM_FAILED',
        `The platform at ${this.url} has no deployment ${id} any more.`,
        {
          hint: 'Deploy again.',
        },
      );
    return deployment;
  }

  /**
   * The heartbeat of a run of `toolkit dev`.
   *
   * @param beat - `declined`: requested endpoints that cannot be provisioned. `serving`: ids of the endpoints that the
   *   run considers live. `wait`: how long the platform holds the response open, in milliseconds.
   */
  async renewRun(
    run: LiveRunTarget,
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

  /** Resumes a run that ended without being released; false if it is gone or still alive. */
  async resumeRun(run: LiveRunTarget, signal: AbortSignal): Promise<boolean> {
    const query = 'mutation($run: RunInput!) { resumeRun(run: $run) }';
    return (await this.query<{ resumeRun: boolean }>(query, { run }, signal)).resumeRun;
  }

  /** Creates or updates one live endpoint. Follow the returned deployment until it ends. */
  async provision(input: ProvisionInput, signal: AbortSignal): Promise<Deployment> {
    const query = `mutation($input: ProvisionInput!) { provision(input: $input) { ${DEPLOYMENT_FIELDS} } }`;
    return (await this.query<{ provision: Deployment }>(query, { input }, signal)).provision;
  }

  /** Removes live endpoints of a run by their live names. With null, removes all of them and the run. */
  async releaseRun(run: string, names: string[] | null, signal: AbortSignal): Promise<string[]> {
    const query = 'mutation($run: ID!, $names: [String!]) { releaseRun(run: $run, names: $names) }';
    return (await this.query<{ releaseRun: string[] }>(query, { run, names }, signal)).releaseRun;
  }

  /** A page of an endpoint's log, oldest line first; with a cursor, only lines after it. */
  async logs(endpoint: string, wanted: LogQuery, signal: AbortSignal): Promise<LogPage> {
    const query = `query($endpoint: ID!, $worker: String, $since: String, $cursor: String, $limit: Int) {
      logs(endpoint: $endpoint, worker: $worker, since: $since, cursor: $cursor, limit: $limit) {
        lines { time level worker request message } cursor
      }
    }`;
    return (await this.query<{ logs: LogPage }>(query, { endpoint, ...wanted }, signal)).logs;
  }

  /** The deploys of an environment, newest first; empty if it does not exist. */
  async history(app: string, environment: string, signal: AbortSignal): Promise<BuildRecord[]> {
    const query = `query($app: String!, $environment: String!) {
      history(app: $app, environment: $environment) { build time endpoints current }
    }`;
    return (await this.query<{ history: BuildRecord[] }>(query, { app, environment }, signal)).history;
  }

  /** Removes endpoints by name. Resolves when their workers have stopped. */
  async undeploy(app: string, environment: string, names: string[], signal: AbortSignal): Promise<string[]> {
    const query = `mutation($app: String!, $environment: String!, $names: [String!]) {
      undeploy(app: $app, environment: $environment, names: $names)
    }`;
    return (await this.query<{ undeploy: string[] }>(query, { app, environment, names }, signal)).undeploy;
  }
}
