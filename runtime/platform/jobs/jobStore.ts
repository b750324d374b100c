/** Where jobs are kept: the one interface between the queue and its storage, and its form over the store. */
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { JobEnd } from '../store/jobOperations.ts';
import type { IdempotentJobRow, JobRow, LiveJobRow, NewJobRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** Every promise resolves after the commit. */
export interface JobStore {
  insert(job: NewJobRow): Promise<void>;
  find(id: string, endpoint: string): Promise<JobRow | null>;
  findIdempotent(endpoint: string, key: string): Promise<IdempotentJobRow | null>;
  /** The job's input as JSON text. */
  input(id: string): Promise<string | null>;
  /** Jobs that have not ended, oldest first. */
  live(): Promise<LiveJobRow[]>;
  take(id: string, worker: string, attempt: number, at: number): Promise<void>;
  requeue(id: string, endpoint: string, retries: number, counted: boolean): Promise<void>;
  /** Adds what a generator yielded. */
  chunk(id: string, output: string): Promise<void>;
  /** What was yielded and nobody was told yet, as JSON texts; told now. */
  drainChunks(id: string): Promise<string[]>;
  /** A job that failed or timed out waits again from `at` on; false when it did neither, or its input is forgotten. */
  retry(id: string, at: number): Promise<boolean>;
  /** Null when the job had ended before. */
  finish(end: JobEnd): Promise<JobRow | null>;
  /** Forgets what is past its retention. */
  forget(now: number): Promise<void>;
}

export function sqliteJobStore(store: Store): JobStore {
  return {
    insert: (job) => store.run('jobInsert', job),
    find: (id, endpoint) => store.run('jobFind', id, endpoint),
    findIdempotent: (endpoint, key) => store.run('jobFindIdempotent', endpoint, key),
    input: (id) => store.run('jobInput', id),
    live: () => store.run('jobLive'),
    take: (id, worker, attempt, at) => store.run('jobTake', id, worker, attempt, at),
    requeue: (id, endpoint, retries, counted) => store.run('jobRequeue', id, endpoint, retries, counted),
    chunk: (id, output) => store.run('jobChunk', id, output),
    drainChunks: (id) => store.run('jobDrainChunks', id),
    retry: (id, at) => store.run('jobRetry', id, at),
    finish: (end) => store.run('jobFinish', end),
    forget: (now) => store.run('jobForget', now, JOB_LIMITS.idempotencyRetention),
  };
}
