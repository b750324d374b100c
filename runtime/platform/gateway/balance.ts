/** Which worker serves the next request of a load-balanced endpoint: the healthy one with the fewest in flight. */
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { RequestLoad } from '../workers/autoscaler.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';

export interface BalanceContext {
  endpoints: Endpoints;
  workers(): Workers;
  /** An endpoint's load changed. */
  changed(endpointId: string): void;
}

export class Balance implements RequestLoad {
  readonly #context: BalanceContext;
  readonly #inFlight = new Map<string, number>();
  readonly #concurrent = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(context: BalanceContext) {
    this.#context = context;
  }

  concurrent(endpointId: string): number {
    return this.#concurrent.get(endpointId) ?? 0;
  }

  at(workerId: string): number {
    return this.#inFlight.get(workerId) ?? 0;
  }

  /** Counts a request of an endpoint from its arrival on; call the result once at its end. */
  arrive(endpointId: string): () => void {
    this.#add(this.#concurrent, endpointId, 1);
    this.#context.changed(endpointId);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#add(this.#concurrent, endpointId, -1);
      this.#context.changed(endpointId);
    };
  }

  /** Counts a request at a worker; call the result once at its end. */
  enter(worker: Worker): () => void {
    this.#add(this.#inFlight, worker.id, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#add(this.#inFlight, worker.id, -1);
      worker.idleSince = performance.now();
    };
  }

  /** The worker to send to; waits for one up to two minutes, then null; for a paused endpoint at once. */
  async worker(endpointId: string, signal: AbortSignal): Promise<Worker | null> {
    const deadline = performance.now() + GATEWAY_LIMITS.workerWait;
    for (;;) {
      const endpoint = this.#context.endpoints.get(endpointId);
      const worker = endpoint ? this.#pick(endpoint) : null;
      const left = deadline - performance.now();
      const isPaused = endpoint?.spec.workersMax === 0;
      if (worker || !endpoint || isPaused || signal.aborted || left <= 0) return worker;
      await this.#change(endpointId, left, signal);
    }
  }

  /** Wakes the requests that wait for a worker of this endpoint. */
  wake(endpointId: string): void {
    for (const wake of this.#waiting.get(endpointId) ?? []) wake();
  }

  #pick(endpoint: DeployedEndpoint): Worker | null {
    let best: Worker | null = null;
    for (const worker of this.#context.workers().serving(endpoint)) {
      if (worker.state !== 'ready' || worker.port === null) continue;
      if (!best || this.at(worker.id) < this.at(best.id)) best = worker;
    }
    return best;
  }

  #change(endpointId: string, wait: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(endpointId) ?? new Set();
      this.#waiting.set(endpointId, waiting);
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, wait);
      waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #add(counts: Map<string, number>, key: string, by: number): void {
    const count = (counts.get(key) ?? 0) + by;
    if (count <= 0) counts.delete(key);
    else counts.set(key, count);
  }
}
