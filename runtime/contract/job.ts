/** Jobs of queue-based endpoints: states, bodies, and the request that makes one. */

/** A job's life: IN_QUEUE → IN_PROGRESS → one of the terminal four. */
export const JOB_STATES = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The states that never change again. */
export const TERMINAL_STATES: readonly JobState[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

/** How far a live endpoint's job is, as `stage` of a body that is not terminal. */
export type JobStage = 'queued' | 'starting worker' | 'importing' | 'running';

/** The body of `run`, and of `runsync` when its wait ends first. */
export interface PendingJobBody {
  id: string;
  status: JobState;
  stage?: JobStage;
}

/**
 * The answer of `POST /v2/<endpoint>/run-batch`, in the order of its body: `{"jobs": [{"input", "webhook"?, "policy"?}, …]}`,
 * each of the form of a body of `run`. All of them are taken in, or none.
 */
export interface BatchBody {
  jobs: PendingJobBody[];
}

/** The body of a finished job; times in whole milliseconds. `error` of an exception is itself a JSON string. */
export interface TerminalJobBody {
  id: string;
  status: JobState;
  delayTime: number;
  executionTime: number;
  workerId: string | null;
  output?: unknown;
  error?: string;
  retries?: number;
}

/** What an exception's `error` string decodes to. */
export interface JobExceptionBody {
  error_type: string;
  error_message: string;
  error_traceback: string;
  hostname: string;
  worker_id: string;
  runtime_version: string;
}

/** The body of `GET /v2/<endpoint>/health`: every key, always. */
export interface EndpointHealth {
  jobs: { completed: number; failed: number; inProgress: number; inQueue: number; retried: number };
  workers: {
    idle: number;
    initializing: number;
    ready: number;
    running: number;
    throttled: number;
    unhealthy: number;
  };
}
