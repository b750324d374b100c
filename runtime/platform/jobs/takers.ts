/** The workers that request jobs. Each waits until the store has claimed jobs for it. */
import { DEFAULTS, WORKER_LIMITS } from '../../contract/limits.ts';
import type { Endpoints } from '../endpoints.ts';
import type { Lifetime } from '../lifetime.ts';
import type { Log } from '../log.ts';
import type { Workers } from '../workers/workers.ts';
import type { ClaimedJob, JobStore, NewJob, Requeue, Start } from './jobStore.ts';
import type { Queues } from './queues.ts';

/** A worker's long poll. */
export interface Taker {
  workerId: string;
  /** Most jobs that it accepts. */
  count: number;
  /**
   * False once it has its response, or its socket is closed: jobs claimed for it in the meantime are requeued.
   */
  open(): boolean;
  give(jobs: ClaimedJob[]): void;
}

export interface TakersContext {
  store: JobStore;
  queues: Queues;
  endpoints: Endpoints;
  workers: Workers;
  lifetime: Lifetime;
  log: Log;
  /** Takes jobs back from a worker. */
  requeue(which: Requeue): Promise<void>;
}

export class Takers {
  readonly #context: TakersContext;
  readonly #waiting = new Map<string, Taker[]>();
  /** By endpoint, jobs that are on their way into the store, minus those that are being claimed. */
  readonly #underway = new Map<string, number>();

  constructor(context: TakersContext) {
    this.#context = context;
  }

  /** Registers a worker's long poll. Serves it at once if a job waits. */
  offer(endpointId: string, taker: Taker): void {
    this.#waiting.set(endpointId, [...this.#open(endpointId), taker]);
    this.dispatch(endpointId);
  }

  withdraw(endpointId: string, taker: Taker): void {
    this.#waiting.set(
      endpointId,
      this.#open(endpointId).filter((other) => other !== taker),
    );
  }

  /** Accepts a `runsync` job. If a worker is idle, it gets the job before the store does. */
  enter(job: NewJob): Promise<void> {
    const { store } = this.#context;
    const { id, endpoint, input, executionTimeout } = job;
    const taker =
      this.#unclaimed(endpoint) <= 0
        ? this.#open(endpoint).find(({ workerId }) => this.#mayTake(endpoint, workerId))
        : undefined;
    // A long input is transferred to the store's thread, so it cannot also be sent to the worker.
    if (!taker || typeof input !== 'string') return store.enter(job, null);
    taker.give([{ id, attempt: 1, input, executionTimeout }]);
    return store.enter(job, this.#start(endpoint, taker));
  }

  /** Requeues jobs that could not be handed over. This does not count as a retry. */
  requeue(endpoint: string, worker: string, jobs: ClaimedJob[]): void {
    const { requeue, log } = this.#context;
    for (const { id, attempt } of jobs)
      requeue({ endpoint, worker, id, attempt, counted: false, error: null }).catch((error: unknown) =>
        log.error({ err: error, job: id }, 'a job was not requeued; its lease ends'),
      );
  }

  /**
   * Counts jobs as waiting while the store accepts them, so that a worker can get them before they are on
   * disk.
   */
  async expect<Result>(endpointId: string, jobs: number, submission: Promise<Result>): Promise<Result> {
    this.#move(endpointId, jobs);
    this.dispatch(endpointId);
    try {
      return await submission;
    } finally {
      this.#move(endpointId, -jobs);
    }
  }

  /** Claims jobs for waiting workers, as long as more jobs wait than are being claimed. */
  dispatch(endpointId: string): void {
    for (const taker of this.#open(endpointId)) {
      if (this.#unclaimed(endpointId) <= 0) return;
      if (this.#mayTake(endpointId, taker.workerId)) void this.#claim(endpointId, taker);
    }
  }

  /** An endpoint was removed: its takers get nothing. */
  drop(endpointId: string): void {
    const takers = this.#open(endpointId);
    this.#waiting.delete(endpointId);
    for (const taker of takers) taker.give([]);
  }

  async #claim(endpointId: string, taker: Taker): Promise<void> {
    const { store, log, queues } = this.#context;
    const before = queues.of(endpointId).reports;
    const { workerId: worker, count } = taker;
    this.withdraw(endpointId, taker);
    this.#move(endpointId, -count);
    let jobs: ClaimedJob[] = [];
    try {
      jobs = await store.claim({
        endpoint: endpointId,
        count,
        ...this.#start(endpointId, taker),
      });
    } catch (error) {
      log.error({ err: error, endpoint: endpointId }, 'no job was claimed');
    } finally {
      this.#move(endpointId, count);
    }
    if (!taker.open()) this.requeue(endpointId, worker, jobs);
    else if (jobs.length > 0) taker.give(jobs);
    else {
      // Another worker took the job. Try again at the next change of the queue.
      this.#waiting.set(endpointId, [taker, ...this.#open(endpointId)]);
      // A change during the claim did not consider this taker.
      if (queues.of(endpointId).reports !== before) this.dispatch(endpointId);
    }
  }

  /** Whether a worker can get jobs of its endpoint now. */
  #mayTake(endpointId: string, workerId: string): boolean {
    const { endpoints, workers, lifetime } = this.#context;
    const worker = workers.get(workerId);
    if (lifetime.isStopping || !worker || worker.draining) return false;
    return worker.target.generation === endpoints.get(endpointId)?.generation;
  }

  #start(endpointId: string, { workerId }: Taker): Start {
    const { spec } = this.#context.endpoints.get(endpointId) ?? {};
    const executionTimeout = (spec?.executionTimeout ?? DEFAULTS.executionTimeoutSeconds) * 1000;
    return { worker: workerId, lease: WORKER_LIMITS.lease, executionTimeout };
  }

  /** Jobs that wait or are on their way into the store, minus those that are being claimed. */
  #unclaimed(endpointId: string): number {
    return this.#context.queues.of(endpointId).waiting + (this.#underway.get(endpointId) ?? 0);
  }

  #open(endpointId: string): Taker[] {
    return (this.#waiting.get(endpointId) ?? []).filter((taker) => taker.open());
  }

  #move(endpointId: string, by: number): void {
    const jobs = (this.#underway.get(endpointId) ?? 0) + by;
    if (jobs === 0) this.#underway.delete(endpointId);
    else this.#underway.set(endpointId, jobs);
  }
}
