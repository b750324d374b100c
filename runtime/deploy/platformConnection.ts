/** A platform's address and key: authorised requests over HTTP, and every way they fail as one sentence. */
import { isErrorCode, ToolkitError } from '../contract/errors.ts';
import { GRAPHQL_PATH } from '../contract/stateManager.ts';
import { type Key, keyRejected } from './credentials.ts';

interface GraphqlError {
  message: string;
  extensions?: { code?: unknown; hint?: unknown };
}

/** A platform's address and the key that opens it. */
export class PlatformConnection {
  readonly url: string;
  readonly key: Key;
  /** Whether it is the toolkit's own platform on this machine. */
  readonly embedded: boolean;

  constructor(url: string, key: Key, embedded: boolean) {
    this.url = url;
    this.key = key;
    this.embedded = embedded;
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

  /**
   * One operation of the state manager.
   *
   * @throws ToolkitError with the platform's own code, sentence and hint.
   */
  async query<Data>(query: string, variables: Record<string, unknown>, signal: AbortSignal): Promise<Data> {
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
        `${this.url} answered ${response.status} with something that is not JSON.`,
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
      `${new URL(target).origin} cannot be reached: ${reason.split('\n', 1)[0]!.replace(/[.:]$/, '')}.`,
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
