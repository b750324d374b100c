/**
 * The one door to jobs: what it says is the truth, and what the platform holds in memory only wakes and counts. Each
 * call is done whole or not at all; each that speaks for a worker counts only for the holder of the job.
 */
import type { JobState } from '../../contract/job.ts';
import type { JsonText } from '../json/jsonText.ts';

/** A job as it enters the queue; durations in milliseconds. */
export interface NewJob {
  id: string;
  endpoint: string;
  input: JsonText;
  /** null: the endpoint's own. */
  executionTimeout: number | null;
  /** From now until it is not started any more. */
  ttl: number;
  /** Taken only when nothing else waits. */
  lowPriority: boolean;
  /** Where the end is told; null: nowhere. */
  webhook: string | null;
  /** How long the result is kept after the end. */
  retention: number;
  /** null: it is never known again. */
  idempotency: Repetition | null;
}

/** What makes a repeated request known: a key, and a hash of the request that it belongs to. */
export interface Repetition {
  key: string;
  hash: string;
}

/** What became of a submitted job: queued; known already by its key; or its key belongs to another request. */
export type Submission = { as: 'new' } | { as: 'known'; id: string; state: JobState } | { as: 'conflict' };

/** What clients and webhooks are told of a job. Instants in milliseconds since 1970. */
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
  /** The result, or of a running job its progress. */
  output: JsonText | null;
  error: string | null;
}

/** The worker that starts a job. */
export interface Start {
  worker: string;
  /** How long the worker holds it without a word; milliseconds. */
  lease: number;
  /** For a job that sets none; milliseconds. */
  executionTimeout: number;
}

export interface Claim extends Start {
  endpoint: string;
  /** Jobs at most. */
  count: number;
}

export interface ClaimedJob {
  id: string;
  attempt: number;
  input: JsonText;
  /** Milliseconds; null: the endpoint's own. */
  executionTimeout: number | null;
}

/** Who may speak of a job. A third-party worker knows no attempt. */
export interface Holder {
  endpoint: string;
  worker: string;
  attempt: number | null;
}

/** Why nobody heard a worker: the job is unknown, somebody else's, or ended by this very worker before. */
export type Refusal = 'unknown' | 'stale' | 'repeated';

export interface JobResult {
  id: string;
  holder: Holder;
  state: 'COMPLETED' | 'FAILED';
  /** Null when there is none. */
  output: JsonText | null;
  error: string | null;
  /** Take the output from what was streamed. */
  fromChunks: boolean;
}

/** Jobs that their worker returns, or leaves behind when it is gone. */
export interface Requeue {
  endpoint: string;
  worker: string;
  /** Only this one; null: all that the worker holds. */
  id: string | null;
  attempt: number | null;
  /** Whether this is one of the job's retries; without, it goes back as if it had not been taken. */
  counted: boolean;
  /** The structured reason that a job without a retry left ends with; null for `worker lost`. */
  error: string | null;
}

/** What became of jobs that left their workers or the queue. */
export interface Changed {
  /** Those that ended. */
  ended: Job[];
  /** Those that wait again. */
  requeued: { id: string; endpoint: string; retries: number }[];
  /** Jobs that their workers are to stop. */
  stopped: { id: string; worker: string }[];
}

/** One endpoint's queue after a commit. */
export interface QueueCounts {
  endpoint: string;
  waiting: number;
  /** Among them of low priority. */
  lowPriority: number;
  /** Of the inputs that wait. */
  waitingBytes: number;
  /** How long the next job has waited, milliseconds; null when none waits. */
  nextWaited: number | null;
  nextIsLow: boolean;
  /** Worker → jobs in its hands. */
  held: Record<string, number>;
  /** Jobs that ended, and returns to the queue, since the endpoint was made. */
  completed: number;
  failed: number;
  retried: number;
}

/** Every promise resolves after the commit, except those of `claim`. */
export interface JobStore {
  /** Takes all of them in, unless all are known, or the key of one belongs to another request: then none. */
  submit(jobs: NewJob[]): Promise<Submission[]>;
  /**
   * Gives waiting jobs to a worker, returned ones first and those of low priority last. Resolves before the commit:
   * should that fail, the jobs wait as before and the worker's results are refused.
   */
  claim(claim: Claim): Promise<ClaimedJob[]>;
  /**
   * Stores a `runsync` job. Its client gets only the result, so the commit may be shared with that of `finish`.
   *
   * @param start - The worker that has it in hand already, in its first attempt; null: it waits.
   */
  enter(job: NewJob, start: Start | null): Promise<void>;
  find(endpoint: string, id: string): Promise<Job | null>;
  /** Lengthens leases from now on. */
  renew(endpoint: string, worker: string, ids: string[], lease: number): Promise<void>;
  /** Stores the progress of a running job; the last value wins. */
  progress(id: string, holder: Holder, output: JsonText, lease: number): Promise<'held' | Refusal>;
  /** Adds what a generator yielded. */
  chunk(id: string, holder: Holder, output: JsonText, lease: number): Promise<'held' | Refusal>;
  /** What was yielded and nobody was told yet; told now. */
  drainChunks(id: string): Promise<JsonText[]>;
  finish(results: JobResult[]): Promise<(Job | Refusal)[]>;
  /** Null when the endpoint has no such job, or it had ended. */
  cancel(endpoint: string, id: string): Promise<Changed>;
  /** Cancels what waits, a slice at a time; `more` when there is more. */
  purge(endpoint: string): Promise<Changed & { more: boolean }>;
  /** Queues a FAILED or TIMED_OUT job again; false when it is neither, or its input is forgotten. */
  retry(endpoint: string, id: string): Promise<boolean>;
  /** Takes jobs from their worker: they wait again, or end when they were retried as often as they may be. */
  requeue(which: Requeue): Promise<Changed>;
  /** What time does, a slice at a time: lost leases, times to live, execution timeouts, results past their retention. */
  expire(): Promise<Changed & { more: boolean }>;
  /** Removes what waits or runs of an endpoint that is gone, a slice at a time; results go with their retention. */
  drop(endpoint: string): Promise<{ more: boolean }>;
  /** Every queue, at the start; the holders of jobs get a whole lease to be heard of. */
  resume(lease: number): Promise<QueueCounts[]>;
}
