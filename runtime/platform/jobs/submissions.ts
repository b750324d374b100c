/** From a client's request to a queued job: accepted once it is on disk, known again by its Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { Patience } from './jobReads.ts';
import type { JobRequest } from './jobRequest.ts';
import type { Job, JobStore, NewJob } from './jobStore.ts';
import type { Jobs } from './jobs.ts';

export class Submissions {
  readonly #store: JobStore;
  readonly #jobs: Jobs;
  readonly #maxWaitingBytes: number;

  /** @param maxWaitingBytes - Of all inputs that may wait; one endpoint may have a share of them. */
  constructor(store: JobStore, jobs: Jobs, maxWaitingBytes: number) {
    this.#store = store;
    this.#jobs = jobs;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /**
   * Accepts a job; resolves with its id once it is on disk.
   *
   * @throws ToolkitError QUEUE_FULL, CONFLICT for an idempotency key that was used with another body.
   */
  async run(
    endpointId: string,
    request: JobRequest,
    idempotencyKey: string | null,
  ): Promise<{ id: string; isNew: boolean }> {
    const id = `${randomUUID()}-u1`;
    return this.#submit(newJob(id, endpointId, request, idempotencyKey, JOB_LIMITS.resultRetentionRun));
  }

  /**
   * Accepts a job and waits for its end.
   *
   * @param stored - Called once the job is on disk.
   * @returns The job at its end, or its current state when the wait ends first; null when its endpoint was removed.
   * @throws ToolkitError as `run`.
   */
  async runAndWait(
    endpointId: string,
    request: JobRequest,
    idempotencyKey: string | null,
    patience: Patience,
    stored: () => void,
  ): Promise<{ id: string; job: Job | null }> {
    const id = `sync-${randomUUID()}-u1`;
    const job = newJob(id, endpointId, request, idempotencyKey, JOB_LIMITS.resultRetentionRunsync);
    const { reads } = this.#jobs;
    if (idempotencyKey !== null) {
      const submitted = await this.#submit(job);
      stored();
      return { id: submitted.id, job: await reads.wait(endpointId, submitted.id, patience) };
    }
    const ended = await reads.submitAndWait(endpointId, id, patience, async () => {
      await this.#submit(job);
      stored();
    });
    return { id, job: ended ?? (await reads.find(endpointId, id)) };
  }

  /**
   * Queues a job again that failed or timed out: same id and input, as new.
   *
   * @throws ToolkitError CONFLICT for a job in another state, or whose input is forgotten; QUEUE_FULL.
   */
  async retry(endpointId: string, job: Job): Promise<void> {
    this.#requireRoom(endpointId, 0);
    if (await this.#store.retry(endpointId, job.id)) return;
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

  async #submit(job: NewJob): Promise<{ id: string; isNew: boolean }> {
    this.#requireRoom(job.endpoint, Buffer.byteLength(job.input));
    const { takers } = this.#jobs;
    const [submission] = await takers.expect(job.endpoint, 1, this.#store.submit([job]));
    switch (submission!.as) {
      case 'new':
        return { id: job.id, isNew: true };
      case 'known':
        return { id: submission!.id, isNew: false };
      case 'conflict':
        throw new ToolkitError(
          'CONFLICT',
          `The Idempotency-Key "${job.idempotency!.key}" was used with another body.`,
          { hint: 'Use a new key for a new request.' },
        );
    }
  }

  /** @throws ToolkitError QUEUE_FULL. */
  #requireRoom(endpointId: string, bytes: number): void {
    const { queues } = this.#jobs;
    const { waiting, waitingBytes } = queues.of(endpointId);
    const most = this.#maxWaitingBytes;
    if (waiting >= JOB_LIMITS.queueLength) {
      throw new ToolkitError('QUEUE_FULL', `${waiting} jobs already wait on this endpoint.`, {
        hint: WAIT_HINT,
      });
    }
    if (waiting > 0 && waitingBytes + bytes > most * JOB_LIMITS.waitingShare) {
      throw new ToolkitError(
        'QUEUE_FULL',
        `Inputs of ${megabytes(waitingBytes)} already wait on this endpoint.`,
        {
          hint: WAIT_HINT,
        },
      );
    }
    if (queues.waitingBytes > 0 && queues.waitingBytes + bytes > most) {
      throw new ToolkitError(
        'QUEUE_FULL',
        `Inputs of ${megabytes(queues.waitingBytes)} already wait on this platform.`,
        { hint: 'Wait until some are done, or start the platform with more `--max-waiting-bytes`.' },
      );
    }
  }
}

const WAIT_HINT = "Wait until some are done, or raise the endpoint's workers.";

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

function newJob(
  id: string,
  endpoint: string,
  { input, executionTimeout, ttl, lowPriority, webhook, hash }: JobRequest,
  key: string | null,
  retention: number,
): NewJob {
  const idempotency = key === null ? null : { key, hash };
  return { id, endpoint, input, executionTimeout, ttl, lowPriority, webhook, retention, idempotency };
}
