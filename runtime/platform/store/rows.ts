/**
 * Rows as they are sent between the store's thread and the platform: plain data, with JSON columns as text.
 */
import type { Job } from '../jobs/jobStore.ts';
import type { JsonText } from '../json/jsonText.ts';

export interface KeyRow {
  id: string;
  /** Hex sha256 of the key. */
  hash: string;
  scope: string;
  name: string | null;
  /** JSON list of endpoint names or ids; null: all. */
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
  /** The build that serves; 0 before the first deploy. */
  build: number;
  revision: number;
  /** Highest number of a build, including failed ones. */
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
}

export interface BuildRow {
  app: string;
  environment: string;
  number: number;
  spec: string;
  parts: string;
  created: string;
}

/** A build in the history. `endpoints` is a JSON list of the sorted names of its endpoints. */
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

/** When the webhook of an ended job is due. */
export interface DueWebhook {
  id: string;
  webhook_due: number;
}

/** An ended job whose webhook was not called yet, with the texts that it is called with. */
export interface WebhookRow extends Job {
  webhook: string;
  webhook_tries: number;
  input: JsonText | null;
}
