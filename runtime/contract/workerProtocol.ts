/**
 * What a worker is told. The RUNPOD_ names are the wire facts that unmodified third-party workers read; ours reads
 * them too. Python holds the same names in toolkit_sdk/_worker/protocol.py; test/fixtures/protocol proves both.
 */

/** Environment of every worker process, and the assignment that our own worker then asks for. */
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

/** Where our own worker finds the platform (beside the RUNPOD_ names) and keeps unpacked parts. */
export const WORKER_VARIABLES = {
  /** Base address of the platform as the worker reaches it. */
  platformUrl: 'TOOLKIT_WORKER_PLATFORM',
  /** Folder of the node's cache: parts by hash, base layers, compiled code. */
  cacheDir: 'TOOLKIT_WORKER_CACHE',
  /** Port a load-balanced worker listens on, 127.0.0.1. */
  port: 'PORT',
  /** Path of the uv executable that installs base layers; pip of the interpreter when unset. */
  uv: 'TOOLKIT_WORKER_UV',
} as const;

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
 * Posted in place of a result by our worker, when a job was lost with its neighbour's process: it is queued again at
 * once, as one of its retries only when it may be at fault itself.
 */
export interface GivenBack {
  status: 'IN_QUEUE';
  counted: boolean;
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

/**
 * `GET /v2/<endpoint>/worker/<worker>/assignment` with the worker's token: all that our worker needs to know.
 * It then reports `POST …/worker/<worker>/state` with a `WorkerReport`.
 */
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
