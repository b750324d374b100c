/** Asks load-balanced workers for their health at GET /ping: 200 healthy, 204 initialising, anything else not. */
import { request } from 'node:http';
import { GATEWAY_SECRET_HEADER } from '../../contract/workerProtocol.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import { isNodeUnreachable } from './forwardErrors.ts';

const TICK_MS = 100;
const EVERY_MS = { starting: TICK_MS, ready: 10_000, unhealthy: 1_000 };
/** Longer than a node has to dial: one that does not is no fault of its worker's. */
const TIMEOUT_MS = 6_000;

/** Starts watching; the returned function ends it. */
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

/** Asks one worker, and notes its answer. */
export async function checkHealth(workers: Workers, worker: Worker): Promise<void> {
  const status = await ping(workers, worker);
  if (status === 'unknown') return;
  if (workers.get(worker.id) !== worker) return;
  // A worker that said itself that its start failed stays unhealthy, though it answers.
  if (status === 200 && !(worker.state === 'unhealthy' && worker.lines.length > 0)) {
    workers.heard(worker);
    worker.reason = null;
    workers.setState(worker, 'ready');
  } else if (worker.state === 'ready' && status !== 204) {
    worker.reason = `GET /ping answered ${status ?? 'nothing'}.`;
    workers.setState(worker, 'unhealthy');
  }
}

/** The status; null if nothing answers, because the worker is not listening yet or has ended; unknown while its node is away or full. */
function ping(workers: Workers, worker: Worker): Promise<number | 'unknown' | null> {
  if (!worker.listens) return Promise.resolve(null);
  return new Promise((resolve) => {
    const asking = request({
      createConnection: () => workers.connect(worker),
      path: '/ping',
      headers: { [GATEWAY_SECRET_HEADER]: worker.gatewaySecret ?? '' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    asking.on('error', (error) => resolve(isNodeUnreachable(error) ? 'unknown' : null));
    asking.on('response', (answer) => {
      answer.resume().on('error', () => {});
      resolve(answer.statusCode ?? null);
    });
    asking.end();
  });
}
