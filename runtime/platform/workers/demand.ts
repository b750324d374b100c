/** How many workers the load of an endpoint needs. */
import { DEFAULTS, GATEWAY_LIMITS, PLATFORM_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Worker } from './worker.ts';
import { isUnresponsive } from './workers.ts';

/**
 * Load-balanced endpoints: how long requests must exceed the workers' concurrency before another worker
 * starts.
 */
const REQUESTS_OVER_MS = 1_000;

/** The load that the gateway reports. */
export interface RequestLoad {
  /** Requests of an endpoint in flight or waiting for a worker. */
  concurrent(endpointId: string): number;
  /** Requests in flight at one worker. */
  at(workerId: string): number;
  /** Ends the requests in flight at one worker. */
  cut(workerId: string): void;
}

export class Demand {
  readonly #context: { queues: Queues; requests: RequestLoad };
  readonly #overSince = new Map<string, number>();

  constructor(context: { queues: Queues; requests: RequestLoad }) {
    this.#context = context;
  }

  /**
   * The number of workers that an endpoint should have now.
   *
   * @param serving The workers that it has.
   */
  of(endpoint: DeployedEndpoint, serving: Worker[]): number {
    const { kind, workersMin, workersMax } = endpoint.spec;
    const unresponsive = serving.filter(isUnresponsive);
    const needed =
      kind === 'load-balanced'
        ? this.#ofRequests(endpoint, serving.length - unresponsive.length, unresponsive)
        : this.#ofJobs(endpoint, serving);
    // Unresponsive workers are counted in addition to the needed ones.
    return Math.min(workersMax, Math.max(workersMin, needed) + unresponsive.length);
  }

  #ofJobs({ id, spec }: DeployedEndpoint, serving: Worker[]): number {
    const queue = this.#context.queues.of(id);
    // Jobs of low priority can start the first worker, but no further ones.
    const work = queue.pressing + queue.inProgress || Math.min(1, queue.waiting);
    const needed = Math.ceil(work / (spec.maxConcurrency ?? DEFAULTS.maxConcurrency));
    const waitedLong = queue.pressingFor > PLATFORM_LIMITS.scaleUpAfter;
    const starting = serving.some((worker) => worker.state === 'starting');
    return waitedLong && !starting ? Math.max(needed, serving.length + 1) : needed;
  }

  /** @param serving Number of workers that respond. */
  #ofRequests({ id, spec }: DeployedEndpoint, serving: number, unresponsive: Worker[]): number {
    const { requests } = this.#context;
    const stuck = unresponsive.reduce((sum, worker) => sum + requests.at(worker.id), 0);
    const atOnce = spec.maxConcurrency ?? GATEWAY_LIMITS.requestsPerWorker;
    const needed = Math.ceil((requests.concurrent(id) - stuck) / atOnce);
    if (needed <= serving) {
      this.#overSince.delete(id);
      return needed;
    }
    if (serving === 0) return 1;
    const since = this.#overSince.get(id) ?? performance.now();
    this.#overSince.set(id, since);
    return performance.now() - since > REQUESTS_OVER_MS ? needed : serving;
  }
}
