/**
 * The job queue: from a submitted job to a finished one. Leases live in memory on the monotonic clock; the holder
 * of a job is (worker id, attempt), and nobody else's result is accepted.
 */
import { JOB_LIMITS, WORKER_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import type { EndpointCounters } from '../endpoints.ts';
import type { Log } from '../log.ts';
import type { JobRow } from '../store/rows.ts';
import type { JobEnd } from '../store/tables/jobs.ts';
import { EndpointQueue, type LiveJob, liveJob, type Taker } from './endpointQueue.ts';
import { JobReads } from './jobReads.ts';
import type { JobStore } from './jobStore.ts';

/** What the queue asks of its surroundings. */
export interface JobsContext {
  store: JobStore;
  log: Log;
  counters(endpointId: string): EndpointCounters;
  /** Whether a worker may be given jobs of its endpoint now. */
  mayTake(endpointId: string, workerId: string): boolean;
  /** Tells that an endpoint's waiting or running jobs changed. */
  changed(endpointId: string): void;
  /** Tells a worker to stop a job. */
  stopJob(workerId: string, jobId: string): void;
  /** A job with a webhook has ended. */
  webhookDue(): void;
}

/** Why a result counts for nothing: the job is unknown, or somebody else's. */
export type Refusal = 'unknown' | 'stale';

export class Jobs {
  readonly #context: JobsContext;
  readonly #queues = new Map<string, EndpointQueue>();
  /** What clients ask of jobs. */
  readonly reads: JobReads;

  constructor(context: JobsContext) {
    this.#context = context;
    this.reads = new JobReads(context.store, (endpointId) => this.queue(endpointId));
  }

  /** Takes up what a former process of this platform left: running jobs get a whole lease to be heard of. */
  async load(): Promise<void> {
    const now = performance.now();
    for (const row of await this.#context.store.live()) {
      // A clock that was set back while nobody watched makes no job younger than new.
      const job = liveJob(row, null, Math.max(0, wallClock() - row.created));
      const queue = this.queue(job.endpoint);
      if (job.state === 'IN_PROGRESS') {
        job.leaseUntil = now + WORKER_LIMITS.lease;
        queue.inProgress.set(job.id, job);
      } else queue.add(job);
    }
  }

  queue(endpointId: string): EndpointQueue {
    let queue = this.#queues.get(endpointId);
    if (!queue) this.#queues.set(endpointId, (queue = new EndpointQueue()));
    return queue;
  }

  /** Registers a worker's long poll and serves it at once when something waits. */
  offer(endpointId: string, taker: Taker): void {
    this.queue(endpointId).takers.push(taker);
    this.dispatch(endpointId);
  }

  withdraw(endpointId: string, taker: Taker): void {
    const queue = this.queue(endpointId);
    queue.takers = queue.takers.filter((other) => other !== taker);
  }

  /** Gives waiting jobs to waiting workers. */
  dispatch(endpointId: string): void {
    const queue = this.queue(endpointId);
    queue.takers = queue.takers.filter((taker) => taker.open());
    const still: Taker[] = [];
    for (const taker of queue.takers) {
      if (queue.waiting === 0 || !this.#context.mayTake(endpointId, taker.workerId)) still.push(taker);
      else taker.give(this.#assign(queue, taker));
    }
    queue.takers = still;
    this.#context.changed(endpointId);
  }

  #assign(queue: EndpointQueue, taker: Taker): LiveJob[] {
    const jobs: LiveJob[] = [];
    const now = performance.now();
    for (let job = queue.peek(); job && jobs.length < taker.count; job = queue.peek()) {
      queue.remove(job);
      job.state = 'IN_PROGRESS';
      job.worker = taker.workerId;
      job.attempt += 1;
      job.started = wallClock();
      job.takenAt = now;
      job.leaseUntil = now + WORKER_LIMITS.lease;
      queue.inProgress.set(job.id, job);
      // Not waited for: if it is lost with the process, the job is in the queue again, which is at-least-once.
      this.#written(this.#context.store.take(job.id, taker.workerId, job.attempt, job.started));
      jobs.push(job);
    }
    return jobs;
  }

  /** The input of a job that was just taken. */
  async input(job: LiveJob): Promise<string> {
    const input = job.input ?? (await this.#context.store.input(job.id));
    if (input === null) throw new Error(`The job ${job.id} has no input in the store.`);
    return input;
  }

  /** A job that could not be handed over goes back, without counting as a retry. */
  release(job: LiveJob, attempt: number): void {
    if (job.attempt !== attempt || job.state !== 'IN_PROGRESS') return;
    const queue = this.queue(job.endpoint);
    if (queue.inProgress.get(job.id) !== job) return;
    queue.putBack(job);
    this.#written(this.#context.store.requeue(job.id, job.endpoint, job.retries, false));
    this.dispatch(job.endpoint);
  }

  /** A worker returns a job that it holds and cannot end; `counted` when the job itself may be why. */
  async giveBack(job: LiveJob, counted: boolean): Promise<void> {
    await this.lose(job.endpoint, (other) => other === job, counted);
  }

  /** Renews the leases that a worker holds. */
  renew(endpointId: string, workerId: string, ids: string[]): void {
    const { inProgress } = this.queue(endpointId);
    const until = performance.now() + WORKER_LIMITS.lease;
    for (const id of ids) {
      const job = inProgress.get(id);
      if (job?.worker === workerId) job.leaseUntil = until;
    }
  }

  /** The job that a worker speaks of, if it is the holder. */
  held(endpointId: string, id: string, workerId: string, attempt: number | null): LiveJob | Refusal {
    const job = this.queue(endpointId).find(id);
    if (!job) return 'unknown';
    if (job.state !== 'IN_PROGRESS' || job.worker !== workerId) return 'stale';
    return attempt !== null && attempt !== job.attempt ? 'stale' : job;
  }

  /** Keeps what a generator yielded, until its job ends. */
  async chunk(job: LiveJob, output: string): Promise<void> {
    job.leaseUntil = performance.now() + WORKER_LIMITS.lease;
    await this.#context.store.chunk(job.id, output);
    this.reads.tell(job.id, null);
  }

  /** Ends a job: on disk first, then whoever waits for it is told. */
  async finish(job: LiveJob, end: Omit<JobEnd, 'id' | 'endpoint' | 'at'>): Promise<void> {
    const queue = this.queue(job.endpoint);
    const wasRunning = job.state === 'IN_PROGRESS';
    queue.remove(job);
    let row: JobRow | null;
    try {
      const ended = { ...end, id: job.id, endpoint: job.endpoint, at: wallClock() };
      row = await this.reads.whileEnding(job.id, () => this.#context.store.finish(ended));
    } catch (error) {
      // Not on disk: the holder keeps the job and may send its result again.
      if (wasRunning) {
        job.leaseUntil = performance.now() + WORKER_LIMITS.lease;
        queue.inProgress.set(job.id, job);
      } else queue.putBack(job);
      throw error;
    }
    const counters = this.#context.counters(job.endpoint);
    if (end.state === 'COMPLETED') counters.completed += 1;
    if (end.state === 'FAILED') counters.failed += 1;
    this.reads.tell(job.id, row);
    if (row && job.webhook !== null) this.#context.webhookDue();
    this.#context.changed(job.endpoint);
  }

  /** Ends a job that its holder cannot end: cancelled, over its time. A running one is stopped at its worker. */
  async end(job: LiveJob, state: JobEnd['state'], error: string | null): Promise<void> {
    const worker = job.state === 'IN_PROGRESS' ? job.worker : null;
    await this.finish(job, { state, output: null, error, fromChunks: false });
    if (worker) this.#context.stopJob(worker, job.id);
  }

  /** Re-queues the jobs of a worker that is gone or went silent; after three retries they fail. */
  async lose(endpointId: string, isLost: (job: LiveJob) => boolean, counted = true): Promise<void> {
    const queue = this.queue(endpointId);
    const lost = [...queue.inProgress.values()].filter(isLost);
    for (const job of lost) {
      if (counted && job.retries >= JOB_LIMITS.maxRetries) {
        await this.finish(job, { state: 'FAILED', output: null, error: 'worker lost', fromChunks: false });
        continue;
      }
      if (counted) {
        job.retries += 1;
        this.#context.counters(endpointId).retried += 1;
      }
      queue.putBack(job);
      this.#written(this.#context.store.requeue(job.id, endpointId, job.retries, counted));
      this.#context.log.info({ job: job.id, endpoint: endpointId, retries: job.retries }, 'job re-queued');
    }
    if (lost.length > 0) this.dispatch(endpointId);
  }

  /** Cancels everything that waits; tells how many. */
  async purge(endpointId: string): Promise<number> {
    const queued = [...this.queue(endpointId).queued()];
    await Promise.all(queued.map((job) => this.end(job, 'CANCELLED', null)));
    return queued.length;
  }

  /** Forgets an endpoint that was removed; whoever waits on its jobs finds none. */
  drop(endpointId: string): void {
    const queue = this.#queues.get(endpointId);
    this.#queues.delete(endpointId);
    if (!queue) return;
    for (const taker of queue.takers) taker.give([]);
    for (const { id } of [...queue.queued(), ...queue.inProgress.values()]) {
      this.reads.tell(id, null);
    }
  }

  endpointIds(): string[] {
    return [...this.#queues.keys()];
  }

  #written(write: Promise<void>): void {
    write.catch((error: unknown) => this.#context.log.error({ err: error }, "a job's state was not written"));
  }
}
