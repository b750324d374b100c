/** Where jobs are kept: the one interface between the queue and its storage, and its form over the store. */
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { IdempotentJobRow, JobRow, LiveJobRow, NewJobRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { JobEnd } from '../store/tables/jobs.ts';

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

export function sqliteJobStore({ jobs }: Store): JobStore {
  return {
    insert: (job) => jobs.insert(job),
    find: (id, endpoint) => jobs.find(id, endpoint),
    findIdempotent: (endpoint, key) => jobs.findIdempotent(endpoint, key),
    input: (id) => jobs.input(id),
    live: () => jobs.live(),
    take: (id, worker, attempt, at) => jobs.take(id, worker, attempt, at),
    requeue: (id, endpoint, retries, counted) => jobs.requeue(id, endpoint, retries, counted),
    chunk: (id, output) => jobs.chunk(id, output),
    drainChunks: (id) => jobs.drainChunks(id),
    retry: (id, at) => jobs.retry(id, at),
    finish: (end) => jobs.finish(end),
    forget: (now) => jobs.forget(now, JOB_LIMITS.idempotencyRetention),
  };
}
