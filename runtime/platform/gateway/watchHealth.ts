/**
 * Checks the health of load-balanced workers with GET /ping. 200: healthy. 204: initializing. Anything else:
 * unhealthy.
 */
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import { askHealth } from './askHealth.ts';
import { isNodeUnreachable } from './forwardErrors.ts';

const TICK_MS = 100;
const EVERY_MS = { starting: TICK_MS, ready: 10_000, unhealthy: 1_000 };
/** Longer than a node can take to dial. A node that does not dial says nothing about its worker. */
const TIMEOUT_MS = 6_000;

/** Starts watching. The returned function stops it. */
export function watchHealth(workers: Workers): () => void {
  const nextCheck = new Map<string, number>();
  const tick = () => {
    const now = performance.now();
    const known = new Set<string>();
    for (const worker of workers.all()) {
      known.add(worker.id);
      if (!worker.listens || !worker.started || (nextCheck.get(worker.id) ?? 0) > now) continue;
      nextCheck.set(worker.id, Number.POSITIVE_INFINITY);
      void checkHealth(workers, worker).then(() => {
        nextCheck.set(worker.id, performance.now() + EVERY_MS[worker.state]);
      });
    }
    for (const id of nextCheck.keys()) if (!known.has(id)) nextCheck.delete(id);
  };
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}

/** Checks one worker and records the result. */
export async function checkHealth(workers: Workers, worker: Worker): Promise<void> {
  const status = await ping(workers, worker);
  if (status === 'unknown') return;
  if (workers.get(worker.id) !== worker) return;
  // A worker that reported a failed start stays unhealthy even if it responds.
  if (status === 200 && !(worker.state === 'unhealthy' && worker.lines.length > 0)) {
    workers.heard(worker);
    worker.reason = null;
    workers.setState(worker, 'ready');
  } else if (worker.state === 'ready' && status !== 204) {
    worker.reason = `GET /ping returned ${status ?? 'no response'}.`;
    workers.setState(worker, 'unhealthy');
  }
}

/**
 * The status of the response. Null if nothing responds, because the worker does not listen yet or has ended.
 * `unknown` while its node is away or full.
 */
async function ping(workers: Workers, worker: Worker): Promise<number | 'unknown' | null> {
  if (!worker.listens) return null;
  try {
    const { statusCode } = await askHealth(workers, worker, AbortSignal.timeout(TIMEOUT_MS));
    return statusCode ?? null;
  } catch (error) {
    return isNodeUnreachable(error as Error) ? 'unknown' : null;
  }
}
