/**
 * Keeps as many workers as an endpoint's load needs. Starts workers for waiting jobs or requests, and stops
 * them after idle_timeout.
 */
import { GATEWAY_LIMITS, PLATFORM_LIMITS, WORKER_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Log } from '../log.ts';
import { Demand, type RequestLoad } from './demand.ts';
import type { Worker } from './worker.ts';
import { isSilent, isUnresponsive, type Workers } from './workers.ts';

const TICK_MS = 250;
/** Workers that end before they are ready are restarted after 1, 2, 4 … seconds. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

export interface AutoscalerContext {
  endpoints: Endpoints;
  workers: Workers;
  queues: Queues;
  requests: RequestLoad;
  gpus: Gpus;
  events: PlatformEvents;
  log: Log;
}

export class Autoscaler {
  readonly #context: AutoscalerContext;
  readonly #backoff = new Map<string, { failures: number; until: number }>();
  readonly #throttled = new Map<string, number>();
  readonly #demand: Demand;
  readonly #due = new Set<string>();
  /** Monotonic times, by worker. */
  readonly #drainsSince = new Map<string, number>();
  readonly #stopping = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #last = performance.now();

  constructor(context: AutoscalerContext) {
    this.#context = context;
    this.#demand = new Demand(context);
    const { events } = context;
    events.on('loadChanged', (endpointId) => this.#changed(endpointId));
    events.on('endpointSwitched', (endpointId) => this.#changed(endpointId));
    events.on('workerChanged', (worker) => {
      if (worker.state === 'ready') this.#backoff.delete(worker.target.id);
    });
    events.on('workerEnded', (worker, withNode) => this.#ended(worker, withNode));
  }

  start(): void {
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Schedules one check of an endpoint for all changes in this turn of the event loop. */
  #changed(endpointId: string): void {
    if (!this.#timer || this.#due.has(endpointId)) return;
    this.#due.add(endpointId);
    setImmediate(() => {
      this.#due.delete(endpointId);
      const endpoint = this.#context.endpoints.get(endpointId);
      if (endpoint && this.#timer) this.#scale(endpoint);
    });
  }

  /** A worker has ended. If it never became ready, it is not restarted at once. */
  #ended(worker: Worker, withNode: boolean): void {
    this.#drainsSince.delete(worker.id);
    // The workers of a new build are proved before it is switched to. They say nothing about the live one.
    const isLive = this.#context.endpoints.get(worker.target.id)?.generation === worker.target.generation;
    if (isLive && !worker.wasReady && !worker.draining) {
      const before = this.#backoff.get(worker.target.id)?.failures ?? 0;
      // If the agent ended, the worker may be fine.
      const failures = withNode ? Math.max(1, before) : before + 1;
      const wait = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
      this.#backoff.set(worker.target.id, { failures, until: performance.now() + wait });
    }
    this.#changed(worker.target.id);
  }

  /** Workers that are needed but cannot start because all cards are in use. */
  throttled(endpointId: string): number {
    return this.#throttled.get(endpointId) ?? 0;
  }

  /** Whether a worker has jobs or requests. */
  isBusy(worker: Worker): boolean {
    const { requests, queues } = this.#context;
    return requests.at(worker.id) > 0 || queues.of(worker.target.id).isBusy(worker.id);
  }

  #tick(): void {
    const now = performance.now();
    // A process that was frozen has not read what its workers sent in that time.
    if (now - this.#last > WORKER_LIMITS.pingInterval) this.#context.workers.grantContact();
    this.#last = now;
    for (const worker of this.#context.workers.all()) this.#watch(worker, now);
    for (const endpoint of this.#context.endpoints.all()) this.#scale(endpoint);
  }

  #watch(worker: Worker, now: number): void {
    if (this.isBusy(worker)) worker.idleSince = now;
    // See Workers.drain.
    else if (worker.draining && worker.started && now - worker.idleSince > 2 * TICK_MS) this.#stop(worker);
    this.#watchDrain(worker, now);
    if (worker.state === 'starting' && now - worker.startedAt > WORKER_LIMITS.startTimeout) {
      worker.reason = `The worker was not ready after ${WORKER_LIMITS.startTimeout / 60_000} minutes.`;
      this.#stop(worker);
    }
    // It serves no requests, and no client waits for it.
    if (isUnresponsive(worker) && now - worker.idleSince > WORKER_LIMITS.lease) this.#stop(worker, 0);
    // Silent for longer than its lease and a grace period: it is frozen or cut off. Its jobs are requeued,
    // and it is replaced.
    if (isSilent(worker) && now - worker.lastContact > WORKER_LIMITS.lease + WORKER_LIMITS.stopGrace) {
      this.#stop(worker, 0);
    }
  }

  /** Streams and WebSockets of a worker that is being replaced can last forever. */
  #watchDrain({ id, draining, target }: Worker, now: number): void {
    if (!draining || target.spec.kind === 'queue') return;
    const since = this.#drainsSince.get(id) ?? now;
    this.#drainsSince.set(id, since);
    if (now - since > GATEWAY_LIMITS.drain) this.#context.requests.cut(id);
  }

  #scale(endpoint: DeployedEndpoint): void {
    const serving = this.#context.workers.serving(endpoint);
    const wanted = this.#demand.of(endpoint, serving);
    this.#throttled.set(endpoint.id, 0);
    if (wanted > serving.length) this.#grow(endpoint, wanted - serving.length);
    else this.#shrink(endpoint, serving, wanted);
  }

  #grow(endpoint: DeployedEndpoint, count: number): void {
    if ((this.#backoff.get(endpoint.id)?.until ?? 0) > performance.now()) return;
    for (let started = 0; started < count; started += 1) {
      const launched = this.#context.workers.launch(endpoint);
      if (typeof launched === 'string') {
        // One that does not start would only end the workers of others.
        if (launched === 'wait' && !this.#backoff.has(endpoint.id)) this.makeRoom(endpoint);
        this.#throttled.set(endpoint.id, count - started);
        return;
      }
    }
  }

  /** Stops workers that have been idle for too long, except those that are needed. */
  #shrink(endpoint: DeployedEndpoint, serving: Worker[], wanted: number): void {
    const { workersMax, idleTimeout } = endpoint.spec;
    let count = serving.length;
    for (const worker of this.#idle(serving)) {
      const tooMany = count > workersMax;
      if (count <= wanted || !(tooMany || isIdleFor(worker, idleTimeout * 1000))) return;
      count -= 1;
      this.#stop(worker);
    }
  }

  /**
   * Claims cards for a worker that waits for some, and drains idle workers that have them, even before their idle_timeout.
   *
   * @param shareWith Workers whose cards can be shared, because the waiting one replaces them.
   */
  makeRoom(waiting: DeployedEndpoint, shareWith: ReadonlySet<string> = new Set()): void {
    const { endpoints, gpus, workers } = this.#context;
    const ending = workers.all().filter((worker) => worker.draining && !this.isBusy(worker));
    const spare = endpoints.all().flatMap((endpoint) => this.#spare(endpoint));
    const able = [...ending, ...spare.toSorted((one, other) => one.idleSince - other.idleSince)];
    const ended = new Set(gpus.claim(waiting, able.map(idOf), shareWith));
    for (const worker of spare) if (ended.has(worker.id)) workers.drain(worker);
  }

  /** The workers of an endpoint that can end because the others are enough, unhealthy ones first. */
  #spare(endpoint: DeployedEndpoint): Worker[] {
    const serving = this.#context.workers.serving(endpoint);
    const started = serving.filter((worker) => worker.state !== 'starting');
    const wait = Math.min(endpoint.spec.idleTimeout * 1000, PLATFORM_LIMITS.idleBeforeGivingGpu);
    const idle = this.#idle(started).filter((worker) => isIdleFor(worker, wait));
    const isReady = ({ state }: Worker) => Number(state === 'ready');
    const spare = started.length - this.#demand.of(endpoint, serving);
    return idle.toSorted((one, other) => isReady(one) - isReady(other)).slice(0, Math.max(0, spare));
  }

  /** Those of some workers that have nothing to do, the longest idle ones first. */
  #idle(workers: Worker[]): Worker[] {
    return workers
      .filter((worker) => worker.state !== 'starting' && !this.isBusy(worker))
      .toSorted((one, other) => one.idleSince - other.idleSince);
  }

  #stop(worker: Worker, graceMs?: number): void {
    if (worker.draining && this.#stopping.has(worker.id)) return;
    this.#stopping.add(worker.id);
    this.#context.workers
      .stop(worker, graceMs)
      .catch((error: unknown) =>
        this.#context.log.error({ err: error, worker: worker.id }, 'a worker did not stop'),
      )
      .finally(() => this.#stopping.delete(worker.id));
  }
}

function isIdleFor(worker: Worker, milliseconds: number): boolean {
  return performance.now() - worker.idleSince > milliseconds;
}

function idOf({ id }: Worker): string {
  return id;
}
