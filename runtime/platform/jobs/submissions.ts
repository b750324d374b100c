/** From a client's request to a queued job: accepted once it is on disk, known again by its Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import type { JobRow } from '../store/rows.ts';
import { type EndpointQueue, liveJob } from './endpointQueue.ts';
import type { JobRequest } from './jobRequest.ts';
import type { JobStore } from './jobStore.ts';
import type { Jobs } from './jobs.ts';

export class Submissions {
  readonly #store: JobStore;
  readonly #jobs: Jobs;

  constructor(store: JobStore, jobs: Jobs) {
    this.#store = store;
    this.#jobs = jobs;
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
      await this.#store.insert({
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
    this.#jobs.dispatch(endpointId);
    return { id, isNew: true };
  }

  /** @throws ToolkitError QUEUE_FULL. */
  #roomyQueue(endpointId: string): EndpointQueue {
    const queue = this.#jobs.queue(endpointId);
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
    if (!(await this.#store.retry(job.id, created))) {
      const { state } = (await this.#jobs.reads.find(endpointId, job.id)) ?? job;
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
    this.#jobs.dispatch(endpointId);
  }

  async #known(endpointId: string, request: JobRequest, key: string | null): Promise<string | null> {
    if (key === null) return null;
    const job = await this.#store.findIdempotent(endpointId, key);
    if (!job) return null;
    if (job.request_hash === request.hash) return job.id;
    throw new ToolkitError('CONFLICT', `The Idempotency-Key "${key}" was used with another body.`, {
      hint: 'Use a new key for a new request.',
    });
  }
}
