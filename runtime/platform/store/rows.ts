/** Rows as they travel between the store's thread and the platform: plain data, JSON columns still as text. */
import type { JobState } from '../../contract/job.ts';

export interface KeyRow {
  id: string;
  /** Hex sha256 of the key. */
  hash: string;
  scope: string;
  name: string | null;
  /** JSON list of endpoint names or ids, null: all. */
  endpoints: string | null;
  app: string | null;
  environment: string | null;
  run: string | null;
  /** ISO 8601. */
  created: string;
}

export interface EnvironmentRow {
  app: string;
  name: string;
  /** The build that serves; 0 before the first. */
  build: number;
  revision: number;
  /** Highest number given to a build, failed ones too. */
  last_build: number;
}

export interface EndpointRow {
  id: string;
  app: string;
  environment: string;
  name: string;
  port: number | null;
  build: number;
  generation: number;
  /** `''` for a persistent endpoint. */
  run: string;
  spec: string;
  secrets: string;
  parts: string;
  completed: number;
  failed: number;
  retried: number;
}

export interface BuildRow {
  app: string;
  environment: string;
  number: number;
  spec: string;
  parts: string;
  created: string;
}

/** What history tells of a build; `endpoints` is JSON: the names of what it served, sorted. */
export interface BuildSummaryRow {
  number: number;
  created: string;
  endpoints: string;
}

export interface DeploymentRow {
  id: string;
  app: string;
  environment: string;
  state: string;
  /** JSON of a `Deployment`. */
  body: string;
  created: string;
}

export interface PartRow {
  content: string;
  sha256: string;
  size: number;
  /** Milliseconds since 1970. */
  stored: number;
}

export interface WorkerRow {
  id: string;
  endpoint: string;
  body: string;
}

/** A job as it enters the queue. Durations and instants in milliseconds. */
export interface NewJobRow {
  id: string;
  endpoint: string;
  /** JSON text. */
  input: string;
  execution_timeout: number | null;
  ttl: number;
  /** 1: taken only when nothing else waits. */
  low_priority: number;
  /** Where the end is told; null: nowhere. */
  webhook: string | null;
  /** How long the result is kept after the job's end. */
  retention: number;
  created: number;
  idempotency_key: string | null;
  request_hash: string | null;
}

/** What the platform keeps of a job that has not ended. */
export interface LiveJobRow {
  id: string;
  endpoint: string;
  state: JobState;
  execution_timeout: number | null;
  ttl: number;
  low_priority: number;
  webhook: string | null;
  created: number;
  started: number | null;
  worker: string | null;
  attempt: number;
  retries: number;
}

/** A job as `status` tells it. */
export interface JobRow extends LiveJobRow {
  finished: number | null;
  output: string | null;
  error: string | null;
}

/** An ended job whose webhook is still to be told, from `webhook_due` on. */
export interface WebhookRow extends JobRow {
  webhook: string;
  webhook_tries: number;
  webhook_due: number;
  input: string | null;
}

export interface IdempotentJobRow {
  id: string;
  request_hash: string;
}
