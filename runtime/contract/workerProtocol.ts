/**
 * The protocol between the platform and its workers. Unmodified third-party workers read the RUNPOD_ names,
 * and so does the toolkit's own worker. toolkit_sdk/_worker/protocol.py defines the same names for Python;
 * test/fixtures/protocol proves that they agree.
 */

/** Environment variables of every worker. */
export interface WorkerEnvironment {
  RUNPOD_WEBHOOK_GET_JOB: string;
  RUNPOD_WEBHOOK_POST_OUTPUT: string;
  RUNPOD_WEBHOOK_POST_STREAM: string;
  RUNPOD_WEBHOOK_PING: string;
  RUNPOD_PING_INTERVAL: string;
  RUNPOD_AI_API_KEY: string;
  RUNPOD_POD_ID: string;
  RUNPOD_ENDPOINT_ID: string;
  RUNPOD_POD_HOSTNAME: string;
}

/**
 * The environment variables of one worker.
 *
 * @param base The platform's address as the worker reaches it, without a trailing slash.
 */
export function workerEnvironment(
  base: string,
  worker: { endpointId: string; workerId: string; token: string; gpu: string; pingIntervalMs: number },
): WorkerEnvironment {
  const endpoint = `${base}/v2/${worker.endpointId}`;
  const query = `?gpu=${encodeURIComponent(worker.gpu)}`;
  return {
    RUNPOD_WEBHOOK_GET_JOB: `${endpoint}/job-take/$ID${query}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${endpoint}/job-done/$RUNPOD_POD_ID/$ID${query}`,
    RUNPOD_WEBHOOK_POST_STREAM: `${endpoint}/job-stream/$RUNPOD_POD_ID/$ID${query}`,
    RUNPOD_WEBHOOK_PING: `${endpoint}/ping/$RUNPOD_POD_ID${query}`,
    RUNPOD_PING_INTERVAL: String(worker.pingIntervalMs),
    RUNPOD_AI_API_KEY: worker.token,
    RUNPOD_POD_ID: worker.workerId,
    RUNPOD_ENDPOINT_ID: worker.endpointId,
    RUNPOD_POD_HOSTNAME: worker.workerId,
  };
}

/** Header of every request from the gateway to a load-balanced worker: the secret of this worker. */
export const GATEWAY_SECRET_HEADER = 'x-toolkit-gateway-secret';
/** Header of every response of a load-balanced endpoint. */
export const WORKER_ID_HEADER = 'x-worker-id';
export const REQUEST_ID_HEADER = 'x-request-id';
/**
 * Header of every request from the gateway to a load-balanced worker: the request's number. Only a request that is
 * sent again has the same number.
 */
export const REQUEST_NUMBER_HEADER = 'x-toolkit-request-number';
/**
 * Header of a GET /ping that the gateway sends after a client has left, with the number of that client's
 * request. The toolkit's own worker responds when the function of this request has ended, or with BLOCKED_HEADER
 * if it still runs after its timeout.
 */
export const AWAITED_REQUEST_HEADER = 'x-toolkit-awaited-request';
/**
 * Header of a response to the gateway: a function still runs after its timeout, and the worker must be
 * replaced.
 */
export const BLOCKED_HEADER = 'x-toolkit-blocked';
/**
 * Parameter of a ping from the supervisor of a command. The supervisor takes no jobs itself, so it does not
 * know which jobs the worker runs.
 */
export const JOBS_UNKNOWN = { parameter: 'jobs', value: 'unknown' } as const;
/**
 * Fencing: the attempt under which the toolkit's worker holds a job. A taken job contains it as `attempt`.
 */
export const ATTEMPT_HEADER = 'x-toolkit-attempt';

/**
 * Posted by the toolkit's worker instead of a result when a job was lost with its process. The job is
 * requeued at once. This counts as a retry only if the job itself may be the cause.
 */
export interface GivenBack {
  status: 'IN_QUEUE';
  counted: boolean;
  /** The job's error when it has no retries left: a structured reason as JSON; null for `worker lost`. */
  error?: string | null;
}

/**
 * `POST /v2/<endpoint>/job-done-batch/<worker>` with the worker's token: the results of up to 1,000 jobs, in
 * at most 21 MB. Only the toolkit's own worker uses it. Each result is checked on its own, as in job-done.
 * The response is a `ResultBatchAnswer` with status 200, in the order of the request.
 *
 * A body that cannot be split into results is refused as a whole: with 400 when quotes or brackets do not
 * match or there is no list of results, with 413 when it exceeds 21 MB. Then no result was accepted, and the
 * worker posts each result to job-done. Progress, chunks and jobs that are given back go to their own routes.
 */
export interface ResultBatch {
  results: BatchedResult[];
}

/** What a worker posts to job-done, plus the fields that are in the URL and the header there. */
export interface BatchedResult {
  /** The job's id. It and `attempt` come first, so that they can be read even if the rest is not JSON. */
  id: string;
  /** The attempt that came with the job. Without it only the worker must match, as in job-done. */
  attempt?: number;
  /** The output consists of the chunks that were posted to job-stream. */
  isStream?: boolean;
  output?: unknown;
  /** Why the function failed. A failed job has no output. */
  error?: string;
  /** Replace the worker. */
  stopPod?: boolean;
}

export interface ResultBatchAnswer {
  results: AnsweredResult[];
}

/**
 * 200: the result was accepted, now or before. 409: the worker no longer holds the job. 404: the job does not
 * exist. After any of these the worker drops the result. 400 and 413: the result is not JSON, or larger than
 * 20 MB; its job has FAILED for that reason. The status is also 400 for a result without an id or with a wrong
 * attempt, which changes nothing.
 */
export interface AnsweredResult {
  /** Null if the result has no id. */
  id: string | null;
  status: number;
  /** One sentence, unless the status is 200. */
  error?: string;
}

/** One part of an artifact that a worker downloads. */
export interface AssignedPart {
  role: 'dependencies' | 'code';
  /** The part's identity. Each node unpacks it once, under this name. */
  content: string;
  /** Hash of the bytes sent (gzip members without an end-of-archive block, except in the code part). */
  sha256: string;
  size: number;
  url: string;
}

/** What a worker serves. The agent gets it with the order to start the worker. */
export interface Assignment {
  app: string;
  environment: string;
  endpoint: { id: string; name: string; kind: 'queue' | 'load-balanced' };
  worker: string;
  build: number;
  /** Minor version, such as `3.11`. */
  python: string;
  handler: string | null;
  command: string[] | null;
  dependencySet: string;
  parts: AssignedPart[];
  /** Packages that the base image provides, `name==version`. */
  baseLayer: string[];
  /** The user's variables, TOOLKIT_APP, TOOLKIT_ENV, PLATFORM_API_URL and the scoped PLATFORM_API_KEY. */
  env: Record<string, string>;
  maxConcurrency: number;
  /**
   * Seconds. For a load-balanced endpoint: until the first byte of a response; null: the gateway's own limit.
   */
  executionTimeout: number | null;
  /**
   * Bytes of memory that the processes with user code can use together: the CPU type's GB; null: no limit
   * (GPU machines). The supervisor enforces it: with a cgroup if one is delegated, else by watching the
   * resident size.
   */
  memoryBytes: number | null;
  /** Load-balanced only: the value of `GATEWAY_SECRET_HEADER` in every request. */
  gatewaySecret: string | null;
  /** Whether a run of `toolkit dev` requested it. Responses to failed requests then contain the traceback. */
  live: boolean;
}

/**
 * The state that the toolkit's worker reports. `starting`, and `importing` while it loads the user's code,
 * extend the start timeout. `unhealthy` fails a rollout.
 */
export interface WorkerReport {
  state: 'starting' | 'importing' | 'ready' | 'unhealthy';
  /** One sentence; null unless unhealthy. */
  reason: string | null;
  /** The last lines of the worker's log; empty unless unhealthy. */
  lines: string[];
  /**
   * Where a ready worker gets requests, `http://HOST:PORT` or `unix:/absolute/path`; null if it requests its
   * work itself.
   */
  address: string | null;
}

/** One line of a worker's log. The worker writes one JSON object per line to its standard output. */
export interface WorkerLogLine {
  /** ISO 8601, UTC. */
  time: string;
  level: 'debug' | 'info' | 'warning' | 'error';
  worker: string;
  /** Id of the job or request; null outside of one. */
  request: string | null;
  message: string;
}
