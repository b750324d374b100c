/** Which worker serves the next request of a load-balanced endpoint: the ready one with the fewest in flight. */
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { RequestLoad } from '../workers/autoscaler.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';

export interface BalanceContext {
  endpoints: Endpoints;
  workers: Workers;
  events: PlatformEvents;
}

/** Who sent a request: a response, or a connection that is upgraded. */
export interface Client {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** A request's place at a worker: it is in flight there until it leaves. */
export interface Place {
  readonly worker: Worker;
  /** Set by who has the place. Called when the worker has drained for long enough, and again until the request has left. */
  cut: () => void;
  leave(): void;
}

type Settle = (place: Place | null) => void;

export class Balance implements RequestLoad {
  readonly #context: BalanceContext;
  /** By worker, what is in flight there. */
  readonly #inFlight = new Map<string, Set<Place>>();
  readonly #concurrent = new Map<string, number>();
  /** Requests that wait for a worker, the first one first. */
  readonly #waiting = new Map<string, Set<Settle>>();

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
    for (const place of this.#inFlight.get(workerId) ?? []) place.cut();
  }

  /** Counts a request of an endpoint from its arrival on; call the result once at its end. */
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
   * A place at a worker. The request waits for one up to two minutes, behind those that came before it.
   *
   * @returns Null when none came in time, the client has gone, or the endpoint is paused or gone.
   */
  async place(endpointId: string, client: Client): Promise<Place | null> {
    if (client.destroyed) return null;
    const endpoint = this.#context.endpoints.get(endpointId);
    const hasQueue = (this.#waiting.get(endpointId)?.size ?? 0) > 0;
    const place = endpoint && !hasQueue ? this.#take(endpoint) : null;
    return place ?? this.#wait(endpointId, client);
  }

  /** A place at a worker other than these; null when none has one now. */
  placeElsewhere(endpointId: string, passedOver: ReadonlySet<Worker>): Place | null {
    const endpoint = this.#context.endpoints.get(endpointId);
    return endpoint ? this.#take(endpoint, passedOver) : null;
  }

  #wait(endpointId: string, client: Client): Promise<Place | null> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(endpointId) ?? new Set();
      this.#waiting.set(endpointId, waiting);
      const settle: Settle = (place) => {
        clearTimeout(timer);
        client.off('close', giveUp);
        waiting.delete(settle);
        resolve(place);
      };
      const giveUp = () => settle(null);
      const timer = setTimeout(giveUp, GATEWAY_LIMITS.workerWait);
      client.once('close', giveUp);
      waiting.add(settle);
      this.#wake(endpointId);
      this.#context.events.emit('loadChanged', endpointId);
    });
  }

  /** Gives places to the requests that wait, as far as there are some. */
  #wake(endpointId: string): void {
    const endpoint = this.#context.endpoints.get(endpointId);
    for (const settle of this.#waiting.get(endpointId) ?? []) {
      const place = endpoint && this.#take(endpoint);
      if (endpoint && !place && endpoint.spec.workersMax > 0) return;
      settle(place);
    }
  }

  #take(endpoint: DeployedEndpoint, passedOver?: ReadonlySet<Worker>): Place | null {
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
    const place: Place = {
      worker,
      cut: () => {},
      leave: () => {
        all.delete(place);
        if (all.size === 0) this.#inFlight.delete(worker.id);
        worker.idleSince = performance.now();
        this.#wake(endpoint.id);
      },
    };
    this.#inFlight.set(worker.id, all.add(place));
    return place;
  }
}
