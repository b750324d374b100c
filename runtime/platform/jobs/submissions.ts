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

  constructor(store: JobStore, jobs: Jobs) {
    this.#store = store;
    this.#jobs = jobs;
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
   * @returns The job as it is when it ends, or when patience does; null when it is gone with its endpoint.
   * @throws ToolkitError as `run`.
   */
  async runAndWait(
    endpointId: string,
    request: JobRequest,
    idempotencyKey: string | null,
    patience: Patience,
  ): Promise<{ id: string; job: Job | null }> {
    const id = `sync-${randomUUID()}-u1`;
    const job = newJob(id, endpointId, request, idempotencyKey, JOB_LIMITS.resultRetentionRunsync);
    const { reads } = this.#jobs;
    if (idempotencyKey !== null) {
      const submitted = await this.#submit(job);
      return { id: submitted.id, job: await reads.wait(endpointId, submitted.id, patience) };
    }
    const { ended } = await reads.submitAndWait(endpointId, id, patience, () => this.#submit(job));
    return { id, job: ended ?? (await reads.find(endpointId, id)) };
  }

  /**
   * Queues a job again that failed or timed out: same id and input, as new.
   *
   * @throws ToolkitError CONFLICT for a job in another state, or whose input is forgotten; QUEUE_FULL.
   */
  async retry(endpointId: string, job: Job): Promise<void> {
    this.#requireRoom(endpointId);
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
    this.#requireRoom(job.endpoint);
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
  #requireRoom(endpointId: string): void {
    const { waiting } = this.#jobs.queues.of(endpointId);
    if (waiting < JOB_LIMITS.queueLength) return;
    throw new ToolkitError('QUEUE_FULL', `${waiting} jobs already wait on this endpoint.`, {
      hint: "Wait until some are done, or raise the endpoint's workers.",
    });
  }
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
