/**
 * Every limit of the product, defined once. MB are 10⁶ bytes. Durations are milliseconds unless the name ends
 * in `Seconds`.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MB = 1_000_000;

/** What a project can declare and deploy. */
export const PROJECT_LIMITS = {
  /** Largest artifact. */
  artifactBytes: 1_500 * MB,
  /**
   * Maximum workers of all deployed endpoints together. Those of `toolkit dev` are counted separately, with the same
   * limit.
   */
  workersQuota: 30,
  /** Characters of an endpoint's, app's or environment's name. */
  nameLength: 63,
} as const;

/** Defaults for what a declaration or a command omits. */
export const DEFAULTS = {
  /** Minimum number of workers. They always run. */
  workersMin: 0,
  /** Maximum number of workers. */
  workersMax: 3,
  /** How long a worker without work is kept. */
  idleTimeoutSeconds: 60,
  /** GPUs of a worker. */
  gpuCount: 1,
  /** How long a function of a queue-based endpoint can run. */
  executionTimeoutSeconds: 600,
  /**
   * Jobs that a worker of a queue-based endpoint runs at the same time. For requests to load-balanced endpoints, there
   * is no limit by default.
   */
  maxConcurrency: 1,
  /** The environment that commands use. */
  environment: 'production',
  /** The hardware of an endpoint that sets neither `gpu` nor `cpu`. */
  gpu: 'ANY',
} as const;

/** The client API of queue-based endpoints. */
export const JOB_LIMITS = {
  /** Largest body of a `run` request. */
  runBodyBytes: 10 * MB,
  /** Largest body of a `runsync` request. */
  runsyncBodyBytes: 20 * MB,
  /** Most jobs in one `run-batch` request. */
  batch: 10_000,
  /** Largest body of a `run-batch` request. */
  batchBodyBytes: 20 * MB,
  /** Shortest `wait` of a `runsync` or `status-sync` request. */
  waitMin: 1 * SECOND,
  /** Longest `wait`. */
  waitMax: 300 * SECOND,
  /** The `wait` of a request that has none. */
  waitDefault: 90 * SECOND,
  /** Shortest `executionTimeout` of a job. */
  executionTimeoutMin: 5 * SECOND,
  /** Longest `executionTimeout`. */
  executionTimeoutMax: 7 * 24 * 60 * MINUTE,
  /** Shortest `ttl` of a job. */
  ttlMin: 10 * SECOND,
  /** Longest `ttl`. */
  ttlMax: 7 * 24 * 60 * MINUTE,
  /** The `ttl` of a job that has none. */
  ttlDefault: 24 * 60 * MINUTE,
  /** How long the result of a `run` job is kept. */
  resultRetentionRun: 30 * MINUTE,
  /** How long the result of a `runsync` job is kept. */
  resultRetentionRunsync: 1 * MINUTE,
  /** How long an idempotency key is known. */
  idempotencyRetention: 24 * 60 * MINUTE,
  /** How often a lost job runs again. */
  maxRetries: 3,
  /** Most jobs that can wait for one endpoint. Requests with further ones get the status 429. */
  queueLength: 100_000,
  /** Largest total size of the inputs of all waiting jobs. Requests that exceed it get the status 429. */
  waitingBytes: 2_000 * MB,
  /** Largest share of `waitingBytes` that one endpoint can use: 512 MB by default. */
  waitingShare: 512 / 2_000,
  /** Largest total size of the request bodies that are being read or written to disk at the same time. */
  bodiesHeld: 256 * MB,
  /** Size of the request bodies that each endpoint can always hold, even if `bodiesHeld` is used up. */
  bodiesHeldOfEndpoint: 20 * MB,
} as const;

/** The worker protocol. */
export const WORKER_LIMITS = {
  /** How long a worker holds a job without renewing it. */
  lease: 30 * SECOND,
  /** How often a worker renews its jobs. */
  pingInterval: 10 * SECOND,
  /** How long a request for a job waits for one. */
  takeWait: 60 * SECOND,
  /** From the start of a worker until it is ready. A first start may install the packages of the base image. */
  startTimeout: 10 * MINUTE,
  /** From the stop signal of a worker until it is killed. */
  stopGrace: 10 * SECOND,
  /** An agent that cannot reach its platform for this long ends its workers and itself. */
  orphanTimeout: 60 * SECOND,
  /** The same for an agent on another machine, whose processes the platform cannot see. */
  nodeTimeout: 20 * SECOND,
  /**
   * The platform gives up a node on another machine that was silent for this long. This is longer than `nodeTimeout`, so
   * the agent has ended its workers by then, and shorter than `lease`, so their leases are still valid.
   */
  nodeSilence: 25 * SECOND,
  /** Largest result of a job. */
  resultBytes: 20 * MB,
  /** Largest `error` of a failed job. */
  errorBytes: 1 * MB,
  /** Largest request body with one result or many. */
  resultBodyBytes: 21 * MB,
  /** Most jobs in the response to `job-take-batch`, and most results in one `job-done-batch` request. */
  batch: 1_000,
  /** Largest log that is kept of each worker. Older lines are dropped. */
  logBytes: 10 * MB,
} as const;

/** The gateway in front of load-balanced endpoints. */
export const GATEWAY_LIMITS = {
  /** Largest body of a request. */
  bodyBytes: 30 * MB,
  /** How long a request waits for a worker. */
  workerWait: 2 * MINUTE,
  /** From a request to the first byte of the response, unless the endpoint sets `execution_timeout`. */
  processing: 5.5 * MINUTE,
  /** One worker is started per this many requests in flight, unless the endpoint sets `max_concurrency`. */
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
  /** How long the URL of another endpoint that a function calls is cached. */
  peerCacheSeconds: 300,
  /** Timeout of the remote key check before a deploy. */
  keyCheck: 2 * SECOND,
  /** How long an interrupted deploy waits for the platform's response, to report whether the deploy continues. */
  interruptedDeploy: 5 * SECOND,
} as const;

/** Dev servers (`toolkit dev`) and their live endpoints. */
export const LIVE_LIMITS = {
  /**
   * A dev server that sends no heartbeat for this long counts as ended. With the time to stop its workers, its endpoints
   * are gone within 15 s of a crash.
   */
  runExpiry: 12 * SECOND,
  /** The live endpoints of a dev server that sends no heartbeat for this long can be taken over by another one. */
  silence: 1 * SECOND,
  /** How long the platform waits before it responds to a heartbeat with nothing to report. */
  renewWait: 5 * SECOND,
  /** How long a worker that calls another endpoint waits for it to be provisioned. */
  lookupWait: 60 * SECOND,
  /** A dev server that an editor started ends after this long without a client, so that a window can reload. */
  unattended: 15 * SECOND,
  /** Endpoints that `--auto-provision` provisions at the same time. */
  provisionedAtOnce: 3,
  /** Endpoints that it provisions without asking for confirmation. */
  provisionedUnasked: 5,
} as const;

/** The embedded platform. */
export const PLATFORM_LIMITS = {
  /** The port of the platform, unless `--port` names another one. */
  defaultPort: 8890,
  /** How long the next piece of a request's body can take. */
  bodyPause: 20 * SECOND,
  /** The platform ends itself after this long with nothing deployed and no request. */
  idleExit: 10 * MINUTE,
  /** Largest body of a GraphQL request. Its variables contain a manifest. */
  graphqlBodyBytes: 20 * MB,
  /** Most characters of a GraphQL query: the time to check it grows faster than its length. */
  graphqlQueryCharacters: 4_000,
  /** How long an upload URL is valid. */
  uploadTicket: 60 * MINUTE,
  /** Builds that are kept per environment, newest first. */
  keptBuilds: 100,
  /** Deployments that are kept per environment, newest first, including failed ones. */
  keptDeployments: 100,
  /** The platform's own log, and the node agent's. One older log of each is kept. */
  logBytes: 10 * MB,
  /** Requests with a wrong key in a minute, from all clients together. Further ones get the status 429. */
  failedKeysPerMinute: 10,
  /** When the oldest job has waited this long, one more worker is started. */
  scaleUpAfter: 4 * SECOND,
  /** A worker that has been idle for this long ends when another endpoint waits for its GPU. */
  idleBeforeGivingGpu: 5 * SECOND,
} as const;
