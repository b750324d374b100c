/**
 * Chooses the worker for the next request of a load-balanced endpoint: the ready one with the fewest requests
 * in flight.
 */
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { RequestLoad } from '../workers/demand.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';

export interface BalanceContext {
  endpoints: Endpoints;
  workers: Workers;
  events: PlatformEvents;
}

/** The client of a request, as its response shows it. */
export interface Client {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** A request's slot at a worker. The request counts as in flight until it leaves the slot. */
export interface Slot {
  readonly worker: Worker;
  /** Of the request. */
  readonly number: number;
  /**
   * Set by the owner of the slot. Called when the worker has drained for long enough, and again until the
   * request has left.
   */
  cut: () => void;
  leave(): void;
}

type Settle = (slot: Slot | null) => void;

export class Balance implements RequestLoad {
  readonly #context: BalanceContext;
  /** Requests in flight, by worker. */
  readonly #inFlight = new Map<string, Set<Slot>>();
  readonly #concurrent = new Map<string, number>();
  /** Requests that wait for a worker, oldest first. */
  readonly #waiting = new Map<string, Set<Settle>>();
  /** In microseconds, since workers outlive the platform: no former process has given a number as high. */
  #lastNumber = Date.now() * 1000;

  constructor(context: BalanceContext) {
    this.#context = context;
    context.events.on('workerChanged', (worker) => this.#wake(worker.target.id));
    context.events.on('endpointSwitched', (endpointId) => this.#wake(endpointId));
  }

  concurrent(endpointId: string): number {
    return this.#concurrent.get(endpointId) ?? 0;
  }

  at(workerId: string): number {
    return this.#inFlight.get(workerId)?.size ?? 0;
  }

  cut(workerId: string): void {
    for (const slot of this.#inFlight.get(workerId) ?? []) slot.cut();
  }

  /** Counts a request of an endpoint from its arrival. Call the returned function once when it ends. */
  arrive(endpointId: string): () => void {
    const count = (by: 1 | -1) => {
      const requests = this.concurrent(endpointId) + by;
      if (requests > 0) this.#concurrent.set(endpointId, requests);
      else this.#concurrent.delete(endpointId);
    };
    count(1);
    return () => count(-1);
  }

  /**
   * Gets a slot at a worker. The request waits up to two minutes, behind earlier ones.
   *
   * @returns Null if no slot became free in time, the client has disconnected, or the endpoint is paused or
   * removed.
   */
  async takeSlot(endpointId: string, client: Client): Promise<Slot | null> {
    if (client.destroyed) return null;
    const endpoint = this.#context.endpoints.get(endpointId);
    const hasQueue = (this.#waiting.get(endpointId)?.size ?? 0) > 0;
    const slot = endpoint && !hasQueue ? this.#take(endpoint) : null;
    return slot ?? this.#wait(endpointId, client);
  }

  /** Gets a slot at a worker other than these; null if none is free now. */
  takeSlotElsewhere(endpointId: string, passedOver: ReadonlySet<Worker>): Slot | null {
    const endpoint = this.#context.endpoints.get(endpointId);
    return endpoint ? this.#take(endpoint, passedOver) : null;
  }

  #wait(endpointId: string, client: Client): Promise<Slot | null> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(endpointId) ?? new Set();
      this.#waiting.set(endpointId, waiting);
      const settle: Settle = (slot) => {
        clearTimeout(timer);
        client.off('close', giveUp);
        waiting.delete(settle);
        resolve(slot);
      };
      const giveUp = () => settle(null);
      const timer = setTimeout(giveUp, GATEWAY_LIMITS.workerWait);
      client.once('close', giveUp);
      waiting.add(settle);
      this.#wake(endpointId);
      this.#context.events.emit('loadChanged', endpointId);
    });
  }

  /** Gives free slots to the requests that wait. */
  #wake(endpointId: string): void {
    const endpoint = this.#context.endpoints.get(endpointId);
    for (const settle of this.#waiting.get(endpointId) ?? []) {
      const slot = endpoint && this.#take(endpoint);
      if (endpoint && !slot && endpoint.spec.workersMax > 0) return;
      settle(slot);
    }
  }

  #take(endpoint: DeployedEndpoint, passedOver?: ReadonlySet<Worker>): Slot | null {
    const most = endpoint.spec.maxConcurrency ?? Number.POSITIVE_INFINITY;
    let best: Worker | null = null;
    for (const worker of this.#context.workers.serving(endpoint)) {
      if (worker.state !== 'ready' || !worker.listens || this.at(worker.id) >= most) continue;
      if (passedOver?.has(worker)) continue;
      if (!best || this.at(worker.id) < this.at(best.id)) best = worker;
    }
    if (!best) return null;
    const worker = best;
    const all = this.#inFlight.get(worker.id) ?? new Set();
    this.#lastNumber += 1;
    const slot: Slot = {
      worker,
      number: this.#lastNumber,
      cut: () => {},
      leave: () => {
        all.delete(slot);
        if (all.size === 0) this.#inFlight.delete(worker.id);
        worker.idleSince = performance.now();
        this.#wake(endpoint.id);
      },
    };
    this.#inFlight.set(worker.id, all.add(slot));
    return slot;
  }
}
