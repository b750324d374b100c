/** Authorized HTTP requests to a platform. Every failure becomes a ToolkitError with one sentence. */
import { isErrorCode, ToolkitError } from '../contract/errors.ts';
import { GRAPHQL_PATH } from '../contract/stateManager.ts';
import { type Key, keyRejected } from './credentials.ts';

interface GraphqlError {
  message: string;
  extensions?: { code?: unknown; hint?: unknown };
}

interface GraphqlBody<Data> {
  data?: Data;
  errors?: GraphqlError[];
  error?: string;
  code?: unknown;
  hint?: unknown;
}

interface Answer<Body> {
  status: number;
  body: Body;
}

/** A platform's address and key. */
export class PlatformConnection {
  readonly url: string;
  readonly key: Key;
  /** Whether it is the embedded platform. */
  readonly embedded: boolean;

  constructor(url: string, key: Key, embedded: boolean) {
    this.url = url;
    this.key = key;
    this.embedded = embedded;
  }

  /**
   * Sends a request with the key.
   *
   * @param target A URL of this platform, or of one of its endpoints.
   * @throws ToolkitError KEY_REJECTED or PLATFORM_UNREACHABLE.
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

  /**
   * Sends a request with a JSON body and the key, and reads the JSON of its response.
   *
   * @param parse Parses the response.
   * @throws ToolkitError like `fetch`, also for a body that breaks off; PLATFORM_FAILED for one that is not JSON.
   */
  async fetchJson<Body>(
    target: string,
    init: RequestInit & { signal: AbortSignal },
    parse: (text: string) => unknown = JSON.parse,
  ): Promise<Answer<Body>> {
    const response = await this.fetch(target, { ...init, headers: { 'content-type': 'application/json' } });
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      if (init.signal.aborted) throw init.signal.reason;
      throw this.unreachable(target, error);
    }
    try {
      return { status: response.status, body: parse(text) as Body };
    } catch (error) {
      throw new ToolkitError(
        'PLATFORM_FAILED',
        `${target} returned ${response.status} with a body that is not JSON.`,
        { hint: 'Check that PLATFORM_API_URL is the address of a platform.', cause: error },
      );
    }
  }

  /**
   * Runs one GraphQL operation of the state manager.
   *
   * @throws ToolkitError with the platform's own code, message and hint.
   */
  async query<Data>(query: string, variables: Record<string, unknown>, signal: AbortSignal): Promise<Data> {
    const { status, body } = await this.fetchJson<GraphqlBody<Data>>(`${this.url}${GRAPHQL_PATH}`, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      signal,
    });
    const [first] = body.errors ?? [];
    if (first) throw remoteError(first.message, first.extensions?.code, first.extensions?.hint);
    if (body.error) throw remoteError(body.error, body.code, body.hint);
    if (!body.data)
      throw new ToolkitError('PLATFORM_FAILED', `${this.url} returned ${status} without data.`, {
        hint: 'Check that PLATFORM_API_URL is the address of a platform.',
      });
    return body.data;
  }

  private unreachable(target: string, cause: unknown): ToolkitError {
    const reason =
      cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    return new ToolkitError(
      'PLATFORM_UNREACHABLE',
      `${new URL(target).origin} cannot be reached: ${reason.split('\n', 1)[0]!.replace(/[.:]$/, '')}.`,
      {
        hint: this.embedded ? 'Run "toolkit platform start".' : 'Check PLATFORM_API_URL and your network.',
        cause,
      },
    );
  }
}

/** An error with the platform's own message. Known error codes are kept, so that they keep their exit code. */
function remoteError(message: string, code: unknown, hint: unknown): ToolkitError {
  return new ToolkitError(isErrorCode(code) ? code : 'PLATFORM_FAILED', message, {
    hint: typeof hint === 'string' ? hint : null,
  });
}
