/** Follows an endpoint's log by polling with a cursor, across restarts of its platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { type ErrorCode, ToolkitError } from '../contract/errors.ts';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import type { LogQuery, PlatformClient } from './platformClient.ts';

const POLL_MS = 400;
const RECONNECT_MS = 1_000;
/** Errors of a platform that is gone or shutting down. */
const AWAY: readonly ErrorCode[] = ['PLATFORM_UNREACHABLE', 'DRAINING'];

export interface FollowOptions {
  client: PlatformClient;
  endpoint: Pick<RemoteEndpoint, 'id' | 'name'>;
  query: LogQuery;
  /** Returns the platform, perhaps at a new address; null while it does not respond. */
  reconnect: () => Promise<PlatformClient | null>;
  /** Called once when the connection is lost, and once when it is back. */
  onConnection: (state: 'lost' | 'back') => void;
  signal: AbortSignal;
}

/** Yields pages of new lines until the signal is aborted or the endpoint is removed; both throw. */
export async function* followLogs(options: FollowOptions): AsyncGenerator<WorkerLogLine[], never> {
  const { endpoint, signal } = options;
  let { client, query } = options;
  for (;;) {
    try {
      const { lines, cursor } = await client.logs(endpoint.id, query, signal);
      query = { ...query, cursor };
      if (lines.length > 0) yield lines;
      else await pause(POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (hasCode(error, ['ENDPOINT_NOT_FOUND'])) throw removed(endpoint.name, error);
      if (!hasCode(error, AWAY)) throw error;
      options.onConnection('lost');
      client = await waitForPlatform(options);
      options.onConnection('back');
    }
  }
}

async function waitForPlatform({ reconnect, signal }: FollowOptions): Promise<PlatformClient> {
  for (;;) {
    await pause(RECONNECT_MS, signal);
    const client = await reconnect();
    if (client) return client;
  }
}

function hasCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return error instanceof ToolkitError && codes.includes(error.code);
}

function removed(name: string, cause: unknown): ToolkitError {
  return new ToolkitError('ENDPOINT_NOT_FOUND', `The endpoint "${name}" was removed, and its log with it.`, {
    cause,
  });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}
