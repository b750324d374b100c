/**
 * The only access to jobs, and the source of truth. What the platform holds in memory only wakes waiting workers
 * and clients, and counts jobs. Each call is applied completely or not at all. A call on behalf of a worker counts
 * only if that worker holds the job.
 */
import type { JobState } from '../../contract/job.ts';
import type { JsonText } from '../json/jsonText.ts';

/** A job as it is submitted. Durations are in milliseconds. */
export interface NewJob {
  id: string;
  endpoint: string;
  input: JsonText;
  /** Null: the endpoint's own. */
  executionTimeout: number | null;
  /** How long it can wait to be started. */
  ttl: number;
  /** Claimed only when no other job waits. */
  lowPriority: boolean;
  /** The URL that gets the job's end; null: none. */
  webhook: string | null;
  /** How long the result is kept after the end. */
  retention: number;
  /** Null: repeated requests are not recognized. */
  idempotency: Repetition | null;
}

/** Identifies a repeated request: a key, and a hash of the request that the key belongs to. */
export interface Repetition {
  key: string;
  hash: string;
}

/**
 * The result of a submission: `new`: queued; `known`: submitted before with the same key; `conflict`: the key
 * belongs to another request.
 */
export type Submission = { as: 'new' } | { as: 'known'; id: string; state: JobState } | { as: 'conflict' };

/** A job as clients and webhooks see it. Times are milliseconds since 1970. */
export interface Job {
  id: string;
  endpoint: string;
  state: JobState;
  created: number;
  started: number | null;
  finished: number | null;
  worker: string | null;
  attempt: number;
  retries: number;
  webhook: string | null;
  /** The result; for a running job, its progress. */
  output: JsonText | null;
  error: string | null;
}

/** The worker that starts a job. */
export interface Start {
  worker: string;
  /** How long the worker holds the job without renewing, milliseconds. */
  lease: number;
  /** Used for a job that sets none, milliseconds. */
  executionTimeout: number;
}

export interface Claim extends Start {
  endpoint: string;
  /** Maximum number of jobs. */
  count: number;
}

export interface ClaimedJob {
  id: string;
  attempt: number;
  input: JsonText;
  /** Milliseconds; null: the endpoint's own. */
  executionTimeout: number | null;
}

/** The worker that holds a job. Third-party workers do not send an attempt. */
export interface Holder {
  endpoint: string;
  worker: string;
  attempt: number | null;
}

/**
 * Why a worker's call was refused: the job is unknown, is held by another worker, or was already ended by
 * this worker.
 */
export type Refusal = 'unknown' | 'stale' | 'repeated';

export interface JobResult {
  id: string;
  holder: Holder;
  state: 'COMPLETED' | 'FAILED';
  /** Null when there is none. */
  output: JsonText | null;
  error: string | null;
  /** Take the output from the streamed chunks. */
  fromChunks: boolean;
}

/** Jobs that a worker gives back, or that it held when it ended. */
export interface Requeue {
  endpoint: string;
  worker: string;
  /** Only this job; null: all jobs of the worker. */
  id: string | null;
  attempt: number | null;
  /** Whether this counts as a retry. If not, the job is requeued as if it had not been claimed. */
  counted: boolean;
  /** The error of a job that has no retries left, as a structured reason; null for `worker lost`. */
  error: string | null;
}

/** Jobs that have changed. */
export interface Changed {
  /** Jobs that have ended. */
  ended: Job[];
  /** Jobs that wait again. */
  requeued: { id: string; endpoint: string; retries: number }[];
  /** Jobs that their workers must stop. */
  stopped: { id: string; worker: string }[];
}

/** One endpoint's queue after a commit. */
export interface QueueCounts {
  endpoint: string;
  waiting: number;
  /** Waiting jobs of low priority. */
  lowPriority: number;
  /** Bytes of the waiting inputs. */
  waitingBytes: number;
  /** How long the next job has waited, milliseconds; null when none waits. */
  nextWaited: number | null;
  nextIsLow: boolean;
  /** Worker → number of jobs that it holds. */
  held: Record<string, number>;
  /** Jobs that have completed, failed, and been requeued since the endpoint was created. */
  completed: number;
  failed: number;
  retried: number;
}

/** Every promise resolves after the commit, except those of `claim`. */
export interface JobStore {
  /**
   * Stores all of these jobs. Stores none if all are known, or if the key of one belongs to another request.
   */
  submit(jobs: NewJob[]): Promise<Submission[]>;
  /**
   * Assigns waiting jobs to a worker: requeued jobs first, jobs of low priority last. Resolves before the
   * commit. If the commit fails, the jobs still wait, and the worker's results are refused.
   */
  claim(claim: Claim): Promise<ClaimedJob[]>;
  /**
   * Stores a `runsync` job. Its client gets only the result, so this can share a commit with `finish`.
   *
   * @param start - The worker that already has the job, in its first attempt; null: it waits.
   */
  enter(job: NewJob, start: Start | null): Promise<void>;
  find(endpoint: string, id: string): Promise<Job | null>;
  /** Extends leases, starting now. */
  renew(endpoint: string, worker: string, ids: string[], lease: number): Promise<void>;
  /** Stores the progress of a running job; the last value wins. */
  progress(id: string, holder: Holder, output: JsonText, lease: number): Promise<'held' | Refusal>;
  /** Adds a chunk that a generator has yielded. */
  chunk(id: string, holder: Holder, output: JsonText, lease: number): Promise<'held' | Refusal>;
  /** Returns the chunks since the last call, and marks them as delivered. */
  drainChunks(id: string): Promise<JsonText[]>;
  finish(results: JobResult[]): Promise<(Job | Refusal)[]>;
  /** Cancels a job. Changes nothing if the endpoint has no such job or it has ended. */
  cancel(endpoint: string, id: string): Promise<Changed>;
  /** Cancels waiting jobs, one slice per call. `more`: jobs are left. */
  purge(endpoint: string): Promise<Changed & { more: boolean }>;
  /** Queues a FAILED or TIMED_OUT job again; false in any other state, or if its input was deleted. */
  retry(endpoint: string, id: string): Promise<boolean>;
  /** Takes jobs from their worker. They wait again, or end if they have no retries left. */
  requeue(which: Requeue): Promise<Changed>;
  /**
   * Handles what was due at a time, one slice per call: lost leases, times to live, execution timeouts, and
   * results past their retention. The caller names the time, since a process that is frozen in between would
   * count leases as lost that it could not hear being renewed.
   */
  expire(now: number): Promise<Changed & { more: boolean }>;
  /**
   * Removes the waiting and running jobs of a removed endpoint, one slice per call. Results are removed after
   * their retention.
   */
  drop(endpoint: string): Promise<{ more: boolean }>;
  /** Returns every queue. The holders of jobs get a full lease to report again. */
  resume(lease: number): Promise<QueueCounts[]>;
}
