/** One request of the corpus, in the words that dev and deployed endpoints share. */

/** Where an endpoint of the corpus's project begins in dev. */
export const PREFIXES = {
  typed: '/jobs/typed',
  echo: '/jobs/echo',
  steps: '/jobs/steps',
  greeter: '/jobs/Greeter',
  api: '/api',
  more: encodeURI('/deep/höhe'),
} as const;

export interface CorpusRequest {
  to: keyof typeof PREFIXES;
  method: string;
  /** Below the endpoint's address, with its query. `JOB` stands for the job that `run` makes first. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  raw?: string | Buffer;
  /** Sent without its length. */
  chunked?: boolean;
  headers?: Record<string, string>;
  /** A job is made of this input first, and has ended before the request unless the path cancels it. */
  run?: object;
  /** The status of both answers; for a job its state. */
  answers: number | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** Takes its worker with it, so it comes after all others of its endpoint. */
  last?: boolean;
}
