/** How the embedded platform's process is started, and what it reports to its parent. */
import type { ErrorBody } from './errors.ts';
import type { PlatformRecord } from './stateManager.ts';

export const DRIVERS = ['process', 'container', 'ray'] as const;
export type DriverName = (typeof DRIVERS)[number];

/**
 * `auto`: GPU endpoints run on the CPU if there is no GPU. `require`: they wait for one. `none`: GPUs are not
 * detected.
 */
export const GPU_MODES = ['auto', 'require', 'none'] as const;
export type GpuMode = (typeof GPU_MODES)[number];

/** The only argument of the platform's process, as JSON. Contains no secret. */
export interface PlatformOptions {
  /** TOOLKIT_HOME, absolute. */
  home: string;
  /** The requested port. Null: the last one, else 8890 or the next free one. 0: any free one. */
  port: number | null;
  host: string;
  /** The address that clients and workers use; null: `http://host:port`. */
  advertise: string | null;
  driver: DriverName;
  gpu: GpuMode;
  quota: number;
  /** Version of the toolkit that starts it. */
  version: string;
  /** Wheel of toolkit_sdk that workers start from. Its path is added to their PYTHONPATH. */
  workerPackage: string;
  /** Interpreter named by TOOLKIT_PYTHON; null: those on PATH. */
  python: string | null;
  /** Path of the uv for base layers, which may be installed later; null: use the interpreter's pip. */
  uv: string | null;
  /** Whether webhooks can be sent to loopback and private addresses. */
  allowPrivateWebhooks: boolean;
  /** Bytes of all inputs that can wait. One endpoint can use a share of them. */
  maxWaitingBytes: number;
}

/** Sent once over the IPC channel, which is then closed. */
export type PlatformStartMessage =
  | { type: 'ready'; record: PlatformRecord }
  | { type: 'failed'; error: ErrorBody };
