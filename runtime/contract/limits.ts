/**
 * Every limit of the product, defined once. MB are 10⁶ bytes, GB 10⁹; durations are milliseconds unless the
 * name ends in `Seconds`.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MB = 1_000_000;

/** What a project may declare and ship. */
export const PROJECT_LIMITS = {
  /** Largest artifact, bytes. */
  artifactBytes: 1_500 * MB,
  /** Sum of `workersMax` over a standard account's persistent endpoints. */
  workersQuota: 30,
  /** Characters of an endpoint's, app's or environment's name. */
  nameLength: 63,
} as const;

/** What a declaration means when it does not say. Workers are (min, max). */
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

/** The client API of queue-based endpoints, `platform-protocol` facts. */
export const JOB_LIMITS = {
  runBodyBytes: 10 * MB,
  runsyncBodyBytes: 20 * MB,
  /** Jobs of one run-batch, and bytes of its body. */
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
  /** Jobs waiting on one endpoint before a run is answered 429. */
  queueLength: 100_000,
  /** Bytes of all inputs that wait before a run is answered 429, and the share of them that one endpoint may have. */
  waitingBytes: 2_000 * MB,
  waitingShare: 512 / 2_000,
  /** Bytes of requests that are being read or written to disk at once. */
  bodiesHeld: 256 * MB,
} as const;

/** The worker protocol. */
export const WORKER_LIMITS = {
  lease: 30 * SECOND,
  pingInterval: 10 * SECOND,
  takeWait: 60 * SECOND,
  /** From start to ready; a first start may install a base layer. */
  startTimeout: 10 * MINUTE,
  /** From stop signal to kill. */
  stopGrace: 10 * SECOND,
  /** An agent that cannot reach its platform for this long ends itself with its workers. */
  orphanTimeout: 60 * SECOND,
  /** The same of an agent on another machine, of whose end nobody may hear. */
  nodePatience: 20 * SECOND,
  /** A node that was silent for this long is gone: its agent has ended its workers, and their leases hold still. */
  nodeSilence: 25 * SECOND,
  resultBytes: 20 * MB,
  /** Why a job failed. */
  errorBytes: 1 * MB,
  /** The body around it, or around many. */
  resultBodyBytes: 21 * MB,
  /** Jobs of one job-take-batch, and results of one job-done-batch. */
  batch: 1_000,
  /** Log kept per worker, bytes; older lines are dropped. */
  logBytes: 10 * MB,
} as const;

/** The gateway before load-balanced endpoints. */
export const GATEWAY_LIMITS = {
  bodyBytes: 30 * MB,
  workerWait: 2 * MINUTE,
  /** From a request to the first byte of its answer, where the endpoint sets no execution_timeout. */
  processing: 5.5 * MINUTE,
  /** Requests in flight for which one worker is started, where the endpoint sets no max_concurrency. */
  requestsPerWorker: 16,
  /** How long a worker that is replaced may go on with what it has in hand. */
  drain: 60 * SECOND,
} as const;

/** Waiting and caching on the caller's side. */
export const CALL_LIMITS = {
  /** The caller's own timeout (SDK calls, `toolkit call`, dev). */
  requestTimeoutSeconds: 60,
  /** Longest of `toolkit call --timeout`: as long as a job may run at most. */
  requestTimeoutMaxSeconds: 7 * 24 * 60 * 60,
  /** A peer's cached URL is looked up again after this. */
  peerCacheSeconds: 300,
  /** The remote key check before a deploy. */
  keyCheck: 2 * SECOND,
  /** How long an interrupted deploy waits for the platform's answer, to say what goes on. */
  interruptedDeploy: 5 * SECOND,
} as const;

/** Runs of `toolkit dev` and their live endpoints. */
export const LIVE_LIMITS = {
  /** A run that is silent for this long has ended. Its endpoints are gone within 15 s of a crash, workers included. */
  runExpiry: 12 * SECOND,
  /** A run that nobody renews for this long may be taken over. */
  silence: 1 * SECOND,
  /** Longest wait of one renewal. */
  renewWait: 5 * SECOND,
  /** How long a worker's lookup waits for a peer to be provisioned. */
  lookupWait: 60 * SECOND,
  /** A dev that an editor has started ends when no client has been attached for this long: a window may reload. */
  unattended: 15 * SECOND,
  /** Endpoints that `--auto-provision` provisions at a time. */
  provisionedAtOnce: 3,
  /** Endpoints that it provisions without asking. */
  provisionedUnasked: 5,
} as const;

/** The embedded platform. */
export const PLATFORM_LIMITS = {
  defaultPort: 8890,
  /** With nothing deployed and no request, the platform ends itself. */
  idleExit: 10 * MINUTE,
  /** With its variables, which hold a manifest. */
  graphqlBodyBytes: 20 * MB,
  /** Of the query alone: checking one takes time that grows faster than its length. */
  graphqlQueryCharacters: 4_000,
  uploadTicket: 60 * MINUTE,
  /** The newest builds and deployments of an environment that are kept, failed deployments included. */
  keptBuilds: 100,
  keptDeployments: 100,
  /** Bytes of the platform's own log, and of the node agent's. One older log of each is kept. */
  logBytes: 10 * MB,
  failedKeysPerMinute: 10,
  /** The oldest job waited this long: one more worker. */
  scaleUpAfter: 4 * SECOND,
} as const;
