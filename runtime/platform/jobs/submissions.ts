/**
 * Turns clients' requests into queued jobs. A job is accepted once it is on disk. A repeated request is
 * recognized by its Idempotency-Key.
 */
import { ToolkitError } from '../../contract/errors.ts';
import type { JobState } from '../../contract/job.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import { sizeOf } from '../json/jsonText.ts';
import { runId, runsyncId } from './jobId.ts';
import type { Patience } from './jobReads.ts';
import type { JobRequest } from './jobRequest.ts';
import type { Job, JobStore, NewJob, Repetition } from './jobStore.ts';
import type { Jobs } from './jobs.ts';
import { Room } from './room.ts';

/** A job that was accepted, now or by an earlier identical request. */
interface Submitted {
  id: string;
  status: JobState;
  isNew: boolean;
}

/**
 * Separates the key of a batch from the index of a job. Headers cannot contain it, so the key of a batch
 * never equals that of a single job.
 */
const INDEX_SEPARATOR = '\n';

export class Submissions {
  readonly #store: JobStore;
  readonly #jobs: Jobs;
  readonly #room: Room;

  /** @param maxWaitingBytes - Limit for all waiting inputs. One endpoint can use a share of it. */
  constructor(store: JobStore, jobs: Jobs, maxWaitingBytes: number) {
    this.#store = store;
    this.#jobs = jobs;
    this.#room = new Room(jobs.queues, maxWaitingBytes);
  }

  /**
   * Accepts a job. Resolves with its id once it is on disk.
   *
   * @throws ToolkitError QUEUE_FULL; CONFLICT if the idempotency key was used with another body.
   */
  async run(endpointId: string, request: JobRequest, idempotency: Repetition | null): Promise<Submitted> {
    const job = newJob(runId(), endpointId, request, idempotency, JOB_LIMITS.resultRetentionRun);
    const [submitted] = await this.#submit(endpointId, [job]);
    return submitted!;
  }

  /**
   * Accepts many jobs at once, or none of them.
   *
   * @param idempotency - For the whole batch. The same batch sent again gets the same jobs.
   * @returns Each job in its current state, in the order of the requests.
   * @throws ToolkitError as `run`.
   */
  async runBatch(
    endpointId: string,
    requests: JobRequest[],
    idempotency: Repetition | null,
  ): Promise<{ id: string; status: JobState }[]> {
    const jobs = requests.map((request, index) => {
      const own = idempotency && { ...idempotency, key: `${idempotency.key}${INDEX_SEPARATOR}${index}` };
      return newJob(runId(), endpointId, request, own, JOB_LIMITS.resultRetentionRun);
    });
    const submitted = await this.#submit(endpointId, jobs);
    return submitted.map(({ id, status }) => ({ id, status }));
  }

  /**
   * Accepts a job and waits for its end.
   *
   * @param stored - Called once the job is on disk.
   * @returns The ended job, or its current state if the wait ends first; null if its endpoint was removed.
   * @throws ToolkitError as `run`.
   */
  async runAndWait(
    endpointId: string,
    request: JobRequest,
    idempotency: Repetition | null,
    patience: Patience,
    stored: () => void,
  ): Promise<{ id: string; job: Job | null }> {
    const id = runsyncId();
    const job = newJob(id, endpointId, request, idempotency, JOB_LIMITS.resultRetentionRunsync);
    const { reads } = this.#jobs;
    if (idempotency) {
      const [submitted] = await this.#submit(endpointId, [job]);
      stored();
      return { id: submitted!.id, job: await reads.wait(endpointId, submitted!.id, patience) };
    }
    const ended = await reads.submitAndWait(endpointId, id, patience, async () => {
      await this.#enter(job);
      stored();
    });
    return { id, job: ended ?? (await reads.find(endpointId, id)) };
  }

  /**
   * Queues a failed or timed-out job again, as new, with the same id and input.
   *
   * @throws ToolkitError CONFLICT if the job is in another state or its input was deleted; QUEUE_FULL.
   */
  async retry(endpointId: string, job: Job): Promise<void> {
    const release = this.#room.take(endpointId, 1, 0);
    try {
      if (await this.#store.retry(endpointId, job.id)) return;
    } finally {
      release();
    }
    const { state } = (await this.#jobs.reads.find(endpointId, job.id)) ?? job;
    const ended = state === 'FAILED' || state === 'TIMED_OUT';
    throw new ToolkitError(
      'CONFLICT',
      ended
        ? `The input of the job "${job.id}" is no longer stored.`
        : `The job "${job.id}" is ${state}: only a FAILED or TIMED_OUT job can be retried.`,
      { hint: ended ? 'Send it again with run.' : null },
    );
  }

  /** @throws ToolkitError QUEUE_FULL. */
  async #enter(job: NewJob): Promise<void> {
    const release = this.#room.take(job.endpoint, 1, sizeOf(job.input));
    try {
      await this.#jobs.takers.enter(job);
    } catch (error) {
      throw notStored(error);
    } finally {
      release();
    }
  }

  /** @throws ToolkitError QUEUE_FULL, CONFLICT. None of the jobs is stored then. */
  async #submit(endpointId: string, jobs: NewJob[]): Promise<Submitted[]> {
    const bytes = jobs.reduce((sum, { input }) => sum + sizeOf(input), 0);
    const release = this.#room.take(endpointId, jobs.length, bytes);
    try {
      const submitting = this.#store.submit(jobs);
      const submissions = await this.#jobs.takers.expect(endpointId, jobs.length, submitting);
      return submissions.map((submission, index) => {
        const { id, idempotency } = jobs[index]!;
        if (submission.as === 'new') return { id, status: 'IN_QUEUE', isNew: true };
        if (submission.as === 'known') return { id: submission.id, status: submission.state, isNew: false };
        throw conflict(idempotency!.key.split(INDEX_SEPARATOR)[0]!);
      });
    } catch (error) {
      throw notStored(error);
    } finally {
      release();
    }
  }
}

/** A waiting worker can get a job before its commit, and the commit can fail. */
function notStored(error: unknown): unknown {
  if (!(error instanceof ToolkitError) || error.code !== 'STORAGE_FULL') return error;
  const message = `${error.message} A worker may already have started a job; its result is not kept.`;
  return new ToolkitError(error.code, message, { hint: error.hint, cause: error });
}

function conflict(key: string): ToolkitError {
  return new ToolkitError(
    'CONFLICT',
    `The Idempotency-Key "${key}" was already used with a different body.`,
    {
      hint: 'Use a new key for a new request.',
    },
  );
}

function newJob(
  id: string,
  endpoint: string,
  request: JobRequest,
  idempotency: Repetition | null,
  retention: number,
): NewJob {
  return { id, endpoint, ...request, retention, idempotency };
}
