/** Typed calls to a platform's state manager over HTTP, and every way they fail as one sentence. */
import type {
  DeployInput,
  Deployment,
  PartRef,
  PlanReport,
  RemoteEndpoint,
  UploadTicket,
} from '../contract/deployment.ts';
import { isErrorCode, ToolkitError } from '../contract/errors.ts';
import { GRAPHQL_PATH } from '../contract/stateManager.ts';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import { type Key, keyRejected } from './credentials.ts';

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

const ENDPOINT_FIELDS = /* GraphQL */ `
  id name kind url build live hardware routes
  workers { min max idle initializing running unhealthy }
  jobs { inQueue inProgress completed failed retried }
`;
const PLAN_FIELDS = 'create update { name reasons } unchanged remove';
const DEPLOYMENT_FIELDS = `id state build plan { ${PLAN_FIELDS} } steps { endpoint state detail lines } error { code message hint }`;

interface GraphqlError {
  message: string;
  extensions?: { code?: unknown; hint?: unknown };
}

/** A platform's address and the key that opens it. */
export class PlatformClient {
  readonly url: string;
  readonly key: Key;
  /** Whether it is the toolkit's own platform on this machine. */
  readonly embedded: boolean;

  constructor(url: string, key: Key, embedded: boolean) {
    this.url = url;
    this.key = key;
    this.embedded = embedded;
  }

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

  async logs(endpoint: string, worker: string | null, signal: AbortSignal): Promise<WorkerLogLine[]> {
    const query = `query($endpoint: ID!, $worker: String) {
      logs(endpoint: $endpoint, worker: $worker) { lines { time level worker request message } }
    }`;
    return (await this.query<{ logs: { lines: WorkerLogLine[] } }>(query, { endpoint, worker }, signal)).logs
      .lines;
  }

  /**
   * A request with the key; a refused key and an unreachable platform become their sentences.
   *
   * @param target An address of this platform, or of one of its endpoints.
   */
  async fetch(target: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    let response: Response;
    try {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${this.key.value}`);
      response = await fetch(target, { ...init, headers });
    } catch (error) {
      if (init.signal.aborted) throw init.signal.reason;
      throw this.unreachable(target, error);
    }
    if (response.status === 401) throw keyRejected(this.url, this.key, this.embedded);
    return response;
  }

  private async query<Data>(
    query: string,
    variables: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Data> {
    const response = await this.fetch(`${this.url}${GRAPHQL_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal,
    });
    const text = await response.text();
    let body: { data?: Data; errors?: GraphqlError[]; error?: string; code?: unknown; hint?: unknown };
    try {
      body = JSON.parse(text);
    } catch (error) {
      throw new ToolkitError(
        'PLATFORM_FAILED',
        `${this.url} answered ${response.status} with something that is no JSON.`,
        {
          hint: 'Check that PLATFORM_API_URL is the address of a platform.',
          cause: error,
        },
      );
    }
    const [first] = body.errors ?? [];
    if (first) throw remoteError(first.message, first.extensions?.code, first.extensions?.hint);
    if (body.error) throw remoteError(body.error, body.code, body.hint);
    if (!body.data)
      throw new ToolkitError('PLATFORM_FAILED', `${this.url} answered ${response.status} without data.`);
    return body.data;
  }

  private unreachable(target: string, cause: unknown): ToolkitError {
    const reason =
      cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    return new ToolkitError(
      'PLATFORM_UNREACHABLE',
      `${new URL(target).origin} cannot be reached: ${reason}.`,
      {
        hint: this.embedded
          ? 'Start it with "toolkit platform start".'
          : 'Check PLATFORM_API_URL and your network.',
        cause,
      },
    );
  }
}

/** An error of the platform, in its own words; codes of the table keep their exit code. */
function remoteError(message: string, code: unknown, hint: unknown): ToolkitError {
  return new ToolkitError(isErrorCode(code) ? code : 'PLATFORM_FAILED', message, {
    hint: typeof hint === 'string' ? hint : null,
  });
}
