/** An endpoint's log as it grows: polled by cursor, across restarts of its platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import type { LogQuery, PlatformClient } from './platformClient.ts';

const POLL_MS = 400;
const RECONNECT_MS = 1_000;

export interface FollowOptions {
  client: PlatformClient;
  /** The endpoint's id. */
  endpoint: string;
  query: LogQuery;
  /** The platform where it answers now, perhaps under another address; null while it does not. */
  reconnect: () => Promise<PlatformClient | null>;
  /** Told once when the platform went away, and once when it is back. */
  onConnection: (state: 'lost' | 'back') => void;
  signal: AbortSignal;
}

/** Pages of new lines, without end: the signal ends it, and the endpoint's removal. */
export async function* followLogs(options: FollowOptions): AsyncGenerator<WorkerLogLine[], never> {
  const { endpoint, signal } = options;
  let { client, query } = options;
  for (;;) {
    try {
      const { lines, cursor } = await client.logs(endpoint, query, signal);
      query = { ...query, cursor };
      if (lines.length > 0) yield lines;
      else await pause(POLL_MS, signal);
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error;
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

/** Not there, or on its way out. */
function isAway(error: unknown): boolean {
  return (
    error instanceof ToolkitError && (error.code === 'PLATFORM_UNREACHABLE' || error.code === 'DRAINING')
  );
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}
