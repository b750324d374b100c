/**
 * Every limit of the product, defined once. MB are 10⁶ bytes. Durations are milliseconds unless the name ends
 * in `Seconds`.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MB = 1_000_000;

/** What a project can declare and ship. */
export const PROJECT_LIMITS = {
  /** Largest artifact, bytes. */
  artifactBytes: 1_500 * MB,
  /** Sum of `workersMax` over the persistent endpoints of a standard account. */
  workersQuota: 30,
  /** Characters of an endpoint's, app's or environment's name. */
  nameLength: 63,
} as const;

/** Defaults for settings that a declaration does not give. */
export const DEFAULTS = {
  workersMin: 0,
  workersMax: 3,
  idleTimeoutSeconds: 60,
  gpuCount: 1,
  executionTimeoutSeconds: 600,
  maxConcurrency: 1,
  environment: 'production',
  gpu: 'ANY',
} as const;

/** The client API of queue-based endpoints. */
export const JOB_LIMITS = {
  runBodyBytes: 10 * MB,
  runsyncBodyBytes: 20 * MB,
  /** Jobs in one run-batch, and bytes of its body. */
  batch: 10_000,
  batchBodyBytes: 20 * MB,
  waitMin: 1 * SECOND,
  waitMax: 300 * SECOND,
  waitDefault: 90 * SECOND,
  executionTimeoutMin: 5 * SECOND,
  executionTimeoutMax: 7 * 24 * 60 * MINUTE,
  ttlMin: 10 * SECOND,
  ttlMax: 7 * 24 * 60 * MINUTE,
  ttlDefault: 24 * 60 * MINUTE,
  resultRetentionRun: 30 * MINUTE,
  resultRetentionRunsync: 1 * MINUTE,
  idempotencyRetention: 24 * 60 * MINUTE,
  maxRetries: 3,
  /** Jobs that wait on one endpoint before `run` is answered with 429. */
  queueLength: 100_000,
  /** Bytes of all waiting inputs before `run` is answered with 429, and the share of one endpoint. */
  waitingBytes: 2_000 * MB,
  waitingShare: 512 / 2_000,
  /** Bytes of request bodies that are being read or written to disk at the same time. */
  bodiesHeld: 256 * MB,
  /** What one endpoint can always have of them, whatever others hold. */
  bodiesHeldOfEndpoint: 20 * MB,
} as const;

/** The worker protocol. */
export const WORKER_LIMITS = {
  lease: 30 * SECOND,
  pingInterval: 10 * SECOND,
  takeWait: 60 * SECOND,
  /** From start to ready. A first start may install a base layer. */
  startTimeout: 10 * MINUTE,
  /** From the stop signal to the kill. */
  stopGrace: 10 * SECOND,
  /** An agent that cannot reach its platform for this long ends its workers and itself. */
  orphanTimeout: 60 * SECOND,
  /** The same for an agent on another machine, whose end may go unnoticed. */
  nodePatience: 20 * SECOND,
  /**
   * A node that was silent for this long counts as gone. By then its agent has ended its workers, and their
   * leases are still valid.
   */
  nodeSilence: 25 * SECOND,
  resultBytes: 20 * MB,
  /** The `error` of a failed job. */
  errorBytes: 1 * MB,
  /** A request body with one result or many. */
  resultBodyBytes: 21 * MB,
  /** Jobs in one job-take-batch, and results in one job-done-batch. */
  batch: 1_000,
  /** Bytes of log kept per worker. Older lines are dropped. */
  logBytes: 10 * MB,
} as const;

/** The gateway in front of load-balanced endpoints. */
export const GATEWAY_LIMITS = {
  bodyBytes: 30 * MB,
  workerWait: 2 * MINUTE,
  /** From a request to the first byte of its answer, unless the endpoint sets execution_timeout. */
  processing: 5.5 * MINUTE,
  /** One worker is started per this many requests in flight, unless the endpoint sets max_concurrency. */
  requestsPerWorker: 16,
  /** How long a worker that is being replaced can take to finish its requests. */
  drain: 60 * SECOND,
} as const;

/** Timeouts and caching on the caller's side. */
export const CALL_LIMITS = {
  /** The caller's own timeout (SDK calls, `toolkit call`, dev). */
  requestTimeoutSeconds: 60,
  /** Longest `toolkit call --timeout`: the longest time that a job can run. */
  requestTimeoutMaxSeconds: 7 * 24 * 60 * 60,
  /** A peer's URL is cached for this long. */
  peerCacheSeconds: 300,
  /** Timeout of the remote key check before a deploy. */
  keyCheck: 2 * SECOND,
  /** How long an interrupted deploy waits for the platform's answer, to report what continues. */
  interruptedDeploy: 5 * SECOND,
} as const;

/** Runs of `toolkit dev` and their live endpoints. */
export const LIVE_LIMITS = {
  /**
   * A run that is silent for this long has ended. Its endpoints and their workers are gone within 15 s of a
   * crash.
   */
  runExpiry: 12 * SECOND,
  /** A run that was not renewed for this long can be taken over. */
  silence: 1 * SECOND,
  /** The longest that one renewal waits. */
  renewWait: 5 * SECOND,
  /** How long a worker's lookup waits for a peer to be provisioned. */
  lookupWait: 60 * SECOND,
  /** A dev that an editor started ends after this long without a client. A window may reload in between. */
  unattended: 15 * SECOND,
  /** Endpoints that `--auto-provision` provisions at the same time. */
  provisionedAtOnce: 3,
  /** Endpoints that it provisions without asking for confirmation. */
  provisionedUnasked: 5,
} as const;

/** The embedded platform. */
export const PLATFORM_LIMITS = {
  defaultPort: 8890,
  /** How long the next piece of a request's body can take. */
  bodyPause: 20 * SECOND,
  /** The platform ends itself after this long with nothing deployed and no request. */
  idleExit: 10 * MINUTE,
  /** Including its variables, which contain a manifest. */
  graphqlBodyBytes: 20 * MB,
  /** The query alone: the time to check it grows faster than its length. */
  graphqlQueryCharacters: 4_000,
  uploadTicket: 60 * MINUTE,
  /** How many builds and deployments are kept per environment, newest first, including failed deployments. */
  keptBuilds: 100,
  keptDeployments: 100,
  /** Bytes of the platform's own log, and of the node agent's. One older log of each is kept. */
  logBytes: 10 * MB,
  failedKeysPerMinute: 10,
  /** When the oldest job has waited this long, one more worker is started. */
  scaleUpAfter: 4 * SECOND,
} as const;
