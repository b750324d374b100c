/**
 * What a worker is told. The RUNPOD_ names are the wire facts that unmodified third-party workers read; ours reads
 * them too. Python holds the same names in toolkit_sdk/_worker/protocol.py; test/fixtures/protocol proves both.
 */

/** Environment of every worker. */
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
 * The environment of one worker.
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

/** Header of every request that the gateway sends to a load-balanced worker: the per-worker secret. */
export const GATEWAY_SECRET_HEADER = 'x-toolkit-gateway-secret';
/** Header of every answer of a load-balanced endpoint. */
export const WORKER_ID_HEADER = 'x-worker-id';
export const REQUEST_ID_HEADER = 'x-request-id';
/** Of an answer to the gateway: a function goes on though it is over its time, and the worker is to be replaced. */
export const BLOCKED_HEADER = 'x-toolkit-blocked';
/** Of a ping: its sender does not know which jobs the worker runs; a command's supervisor, which takes none itself. */
export const JOBS_UNKNOWN = { parameter: 'jobs', value: 'unknown' } as const;
/** Fencing: the attempt under which our worker holds a job; given in a taken job as `attempt`. */
export const ATTEMPT_HEADER = 'x-toolkit-attempt';

/**
 * Posted by our worker in place of a result, when a job was lost with its process. The job is queued again at once. This
 * counts as a retry only when the job itself may be the cause.
 */
export interface GivenBack {
  status: 'IN_QUEUE';
  counted: boolean;
  /** What the job ends with when it has no retry left: a structured reason as JSON; null for `worker lost`. */
  error?: string | null;
}

/**
 * `POST /v2/<endpoint>/job-done-batch/<worker>` with the worker's token: the results of up to 1,000 jobs, in at most 21 MB.
 * Only our own worker uses it. Each result is checked on its own, as job-done does. The answer is a `ResultBatchAnswer` of
 * status 200, in the order of the body.
 *
 * A body that cannot be split into results is refused as a whole, with 400 (quotes or brackets that do not match, no list of
 * results) or 413 (more than 21 MB). Then no result was accepted, and the worker posts each of them to job-done. Progress,
 * chunks and jobs that are given back go to their own routes.
 */
export interface ResultBatch {
  results: BatchedResult[];
}

/** What a worker posts to job-done, with the fields that are in the URL and the header there. */
export interface BatchedResult {
  /** The job's. It and `attempt` come first, so that they can be read even if what follows is not JSON. */
  id: string;
  /** The attempt that came with the job. Without it only the worker has to match, as in job-done. */
  attempt?: number;
  /** The output is the chunks that were posted to job-stream. */
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
 * 200: the result was accepted, now or before. 409: the worker no longer holds the job. 404: the job does not exist. After
 * these the worker drops the result. 400 and 413: the result is not JSON, or larger than 20 MB, and its job has FAILED with
 * that reason. 400 also answers a result without an id or with a wrong attempt, which changes nothing.
 */
export interface AnsweredResult {
  /** null when the result has none. */
  id: string | null;
  status: number;
  /** One sentence, unless the status is 200. */
  error?: string;
}

/** One part of an artifact as a worker fetches it. */
export interface AssignedPart {
  role: 'dependencies' | 'code';
  /** The part's identity: unpacked once per node under this name. */
  content: string;
  /** Of the bytes sent (gzip members without an end-of-archive block, except the code part). */
  sha256: string;
  size: number;
  url: string;
}

/** What a worker serves. Its agent gets it with the order to start it. */
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
  /** `name==version` of what the base image provides. */
  baseLayer: string[];
  /** The user's variables, TOOLKIT_APP, TOOLKIT_ENV, PLATFORM_API_URL and the scoped PLATFORM_API_KEY. */
  env: Record<string, string>;
  maxConcurrency: number;
  /** Seconds; of a load-balanced endpoint until the first byte of an answer, null: the gateway's own limit. */
  executionTimeout: number | null;
  /**
   * What the processes that run user code may hold together, bytes: the cpu form's GB; null: no limit (GPU machines).
   * The supervisor holds them to it: by cgroup where one is delegated, else by watching resident size.
   */
  memoryBytes: number | null;
  /** Load-balanced: what every request must carry in `GATEWAY_SECRET_HEADER`. */
  gatewaySecret: string | null;
  /** Whether a run of `toolkit dev` asked for it: answers to failed requests then have the traceback. */
  live: boolean;
}

/**
 * What our worker says of itself. `starting`, and `importing` once it loads the user's code, renew the start;
 * `unhealthy` fails a roll-out.
 */
export interface WorkerReport {
  state: 'starting' | 'importing' | 'ready' | 'unhealthy';
  /** One sentence; null unless unhealthy. */
  reason: string | null;
  /** The worker's last lines; empty unless unhealthy. */
  lines: string[];
  /** Where a ready one is sent requests, `http://HOST:PORT` or `unix:/absolute/path`; null: it asks for its work. */
  address: string | null;
}

/** One line of a worker's log, as written to its standard output, one JSON object a line. */
export interface WorkerLogLine {
  /** ISO 8601, UTC. */
  time: string;
  level: 'debug' | 'info' | 'warning' | 'error';
  worker: string;
  /** Job or request id, null outside of one. */
  request: string | null;
  message: string;
}
