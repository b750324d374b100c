/** Jobs of queue-based endpoints: states and bodies. */

/** The states of a job: IN_QUEUE → IN_PROGRESS → one of the four terminal states. */
export const JOB_STATES = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** States of jobs that have ended. Only `retry` can move a job out of one: it requeues FAILED and TIMED_OUT jobs. */
export const TERMINAL_STATES: readonly JobState[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

/** The progress of a live endpoint's job, as `stage` of a body that is not terminal. */
export type JobStage = 'queued' | 'starting worker' | 'importing' | 'running';

/** The response of `run`, and of `runsync` when its wait ends first. */
export interface PendingJobBody {
  id: string;
  status: JobState;
  stage?: JobStage;
}

/**
 * The response of `POST /v2/<endpoint>/run-batch`, in the order of the request:
 * `{"jobs": [{"input", "webhook"?, "policy"?}, …]}`. Each job has the form of a `run` body. Either all jobs
 * are accepted, or none.
 */
export interface BatchBody {
  jobs: PendingJobBody[];
}

/**
 * The body of a finished job. Times are whole milliseconds. The `error` of an exception is itself a JSON
 * string.
 */
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

/** The content of an exception's `error` string. */
export interface JobExceptionBody {
  error_type: string;
  error_message: string;
  error_traceback: string;
  hostname: string;
  worker_id: string;
  runtime_version: string;
}

/** The body of `GET /v2/<endpoint>/health`. Every key is always present. */
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
