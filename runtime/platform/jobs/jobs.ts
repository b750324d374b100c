/**
 * The job queue: from an accepted request to a finished job. Leases live in memory on the monotonic clock; the holder
 * of a job is (worker id, attempt), and nobody else's result is accepted.
 */
import { randomUUID } from 'node:crypto';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS, WORKER_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import type { EndpointCounters } from '../endpoints.ts';
import type { Log } from '../log.ts';
import type { JobEnd } from '../store/jobOperations.ts';
import type { JobRow } from '../store/rows.ts';
import { EndpointQueue, type LiveJob, liveJob, type Taker } from './endpointQueue.ts';
import type { JobRequest } from './jobRequest.ts';
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
  /** Job → who waits for its end; told null when it is gone with its endpoint. */
  readonly #waiters = new Map<string, Set<(job: JobRow | null) => void>>();
  /** Jobs whose end is being written: in no queue any more, and not ended on disk yet. */
  readonly #ending = new Set<string>();
  /** Job → who waits for its next chunk or its end. */
  readonly #readers = new Map<string, Set<() => void>>();

  constructor(context: JobsContext) {
    this.#context = context;
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

  /**
   * Accepts a job; resolves with its id once it is on disk.
   *
   * @throws ToolkitError QUEUE_FULL, CONFLICT for an idempotency key that was used with another body.
   */
  async submit(
    endpointId: string,
    request: JobRequest,
    options: { sync: boolean; idempotencyKey: string | null },
  ): Promise<{ id: string; isNew: boolean }> {
    const queue = this.#roomyQueue(endpointId);
    const known = await this.#known(endpointId, request, options.idempotencyKey);
    if (known) return { id: known, isNew: false };
    const id = `${options.sync ? 'sync-' : ''}${randomUUID()}-u1`;
    const created = wallClock();
    const row = {
      id,
      endpoint: endpointId,
      execution_timeout: request.executionTimeout,
      ttl: request.ttl,
      low_priority: request.lowPriority ? 1 : 0,
      webhook: request.webhook,
      created,
    };
    try {
      await this.#context.store.insert({
        ...row,
        input: request.input,
        retention: options.sync ? JOB_LIMITS.resultRetentionRunsync : JOB_LIMITS.resultRetentionRun,
        idempotency_key: options.idempotencyKey,
        request_hash: options.idempotencyKey === null ? null : request.hash,
      });
    } catch (error) {
      // Two requests with one idempotency key at once: the second meets the first one's row.
      const winner = await this.#known(endpointId, request, options.idempotencyKey);
      if (winner) return { id: winner, isNew: false };
      throw error;
    }
    const fresh = { ...row, state: 'IN_QUEUE' as const, started: null, worker: null, attempt: 0, retries: 0 };
    queue.add(liveJob(fresh, request.input, 0));
    this.dispatch(endpointId);
    return { id, isNew: true };
  }

  /** @throws ToolkitError QUEUE_FULL. */
  #roomyQueue(endpointId: string): EndpointQueue {
    const queue = this.queue(endpointId);
    if (queue.waiting < JOB_LIMITS.queueLength) return queue;
    throw new ToolkitError('QUEUE_FULL', `${queue.waiting} jobs already wait on this endpoint.`, {
      hint: "Wait until some are done, or raise the endpoint's workers.",
    });
  }

  /**
   * Queues a job again that failed or timed out: same id and input, as new.
   *
   * @throws ToolkitError CONFLICT for a job in another state, or whose input is forgotten; QUEUE_FULL.
   */
  async retry(endpointId: string, job: JobRow): Promise<void> {
    const queue = this.#roomyQueue(endpointId);
    const created = wallClock();
    if (!(await this.#context.store.retry(job.id, created))) {
      const { state } = (await this.find(endpointId, job.id)) ?? job;
      const ended = state === 'FAILED' || state === 'TIMED_OUT';
      throw new ToolkitError(
        'CONFLICT',
        ended
          ? `The input of the job "${job.id}" is not kept any more.`
          : `The job "${job.id}" is ${state}: only a FAILED or TIMED_OUT job can be retried.`,
        { hint: ended ? 'Send it again with run.' : null },
      );
    }
    const { finished: _f, output: _o, error: _e, ...row } = job;
    const fresh = { ...row, state: 'IN_QUEUE' as const, created, started: null, worker: null, retries: 0 };
    queue.add(liveJob(fresh, null, 0));
    this.dispatch(endpointId);
  }

  async #known(endpointId: string, request: JobRequest, key: string | null): Promise<string | null> {
    if (key === null) return null;
    const job = await this.#context.store.findIdempotent(endpointId, key);
    if (!job) return null;
    if (job.request_hash === request.hash) return job.id;
    throw new ToolkitError('CONFLICT', `The Idempotency-Key "${key}" was used with another body.`, {
      hint: 'Use a new key for a new request.',
    });
  }

  /** The job as it is now; null when the endpoint has none of that id. */
  async find(endpointId: string, id: string): Promise<JobRow | null> {
    const live = this.queue(endpointId).find(id);
    if (live) return { ...live, finished: null, output: null, error: null };
    return this.#context.store.find(id, endpointId);
  }

  /** Resolves with the job when it ends, or with its current state after `wait` milliseconds. */
  async wait(endpointId: string, id: string, wait: number, signal: AbortSignal): Promise<JobRow | null> {
    if (!this.#isLive(endpointId, id)) return this.find(endpointId, id);
    const ended = await new Promise<JobRow | null>((resolve) => {
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters);
      const settle = (job: JobRow | null) => {
        clearTimeout(timer);
        waiters.delete(onEnd);
        if (waiters.size === 0) this.#waiters.delete(id);
        resolve(job);
      };
      const onEnd = (job: JobRow | null) => settle(job);
      const timer = setTimeout(() => settle(null), wait);
      signal.addEventListener('abort', () => settle(null), { once: true });
      waiters.add(onEnd);
    });
    return ended ?? this.find(endpointId, id);
  }

  /**
   * What a job yielded and nobody was told yet, with its state; waits for the first, or the end, or `wait`
   * milliseconds.
   *
   * @returns null when the endpoint has no such job.
   */
  async stream(
    endpointId: string,
    id: string,
    wait: number,
    signal: AbortSignal,
  ): Promise<{ state: JobRow['state']; chunks: string[] } | null> {
    const deadline = performance.now() + wait;
    for (;;) {
      // The state first: what is yielded before the end is then told with it.
      const job = await this.find(endpointId, id);
      if (!job || signal.aborted) return null;
      const live = this.#isLive(endpointId, id);
      const enough = new AbortController();
      const news = this.#nextChunk(
        id,
        deadline - performance.now(),
        AbortSignal.any([signal, enough.signal]),
      );
      const chunks = await this.#context.store.drainChunks(id);
      if (chunks.length > 0 || !live || performance.now() >= deadline) {
        enough.abort();
        return { state: job.state, chunks };
      }
      await news;
    }
  }

  #isLive(endpointId: string, id: string): boolean {
    return this.#ending.has(id) || this.queue(endpointId).find(id) !== null;
  }

  /** Resolves at a job's next chunk or its end, at the latest after `wait` milliseconds. */
  #nextChunk(id: string, wait: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const readers = this.#readers.get(id) ?? new Set();
      this.#readers.set(id, readers);
      const settle = () => {
        clearTimeout(timer);
        readers.delete(settle);
        if (readers.size === 0) this.#readers.delete(id);
        resolve();
      };
      const timer = setTimeout(settle, Math.max(0, wait));
      signal.addEventListener('abort', settle, { once: true });
      readers.add(settle);
    });
  }

  #tellReaders(id: string): void {
    for (const tell of this.#readers.get(id) ?? []) tell();
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
    this.#tellReaders(job.id);
  }

  /** Ends a job: on disk first, then whoever waits for it is told. */
  async finish(job: LiveJob, end: Omit<JobEnd, 'id' | 'endpoint' | 'at'>): Promise<void> {
    const queue = this.queue(job.endpoint);
    const wasRunning = job.state === 'IN_PROGRESS';
    queue.remove(job);
    this.#ending.add(job.id);
    let row: JobRow | null;
    try {
      row = await this.#context.store.finish({ ...end, id: job.id, endpoint: job.endpoint, at: wallClock() });
    } catch (error) {
      // Not on disk: the holder keeps the job and may send its result again.
      if (wasRunning) {
        job.leaseUntil = performance.now() + WORKER_LIMITS.lease;
        queue.inProgress.set(job.id, job);
      } else queue.putBack(job);
      throw error;
    } finally {
      this.#ending.delete(job.id);
    }
    const counters = this.#context.counters(job.endpoint);
    if (end.state === 'COMPLETED') counters.completed += 1;
    if (end.state === 'FAILED') counters.failed += 1;
    if (row) for (const tell of this.#waiters.get(job.id) ?? []) tell(row);
    this.#tellReaders(job.id);
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
      for (const tell of this.#waiters.get(id) ?? []) tell(null);
      this.#tellReaders(id);
    }
  }

  endpointIds(): string[] {
    return [...this.#queues.keys()];
  }

  #written(write: Promise<void>): void {
    write.catch((error: unknown) => this.#context.log.error({ err: error }, "a job's state was not written"));
  }
}
