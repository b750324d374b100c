/** One request of the corpus, in terms that apply to both dev and deployed endpoints. */

/** The path of an endpoint of the corpus's project in dev. */
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
  /**
   * The path below the endpoint's address, with its query. `JOB` stands for the job that `run` creates first.
   */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Buffer;
  /** Sent without a Content-Length. */
  chunked?: boolean;
  headers?: Record<string, string>;
  /** The input of a job that is created first. It ends before the request, unless the path cancels it. */
  run?: object;
  /** The expected status code on both sides; for a job its state. */
  answers: number | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** Ends its worker, so it runs after all other requests to its endpoint. */
  last?: boolean;
}
