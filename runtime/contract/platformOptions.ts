/** How the embedded platform's process is started, and what it tells whoever started it. */
import type { ErrorBody } from './errors.ts';
import type { PlatformRecord } from './stateManager.ts';

export const DRIVERS = ['process', 'container', 'ray'] as const;
export type DriverName = (typeof DRIVERS)[number];

/** `auto`: GPU endpoints run on the CPU where there is none. `require`: they wait. `none`: GPUs are not looked for. */
export const GPU_MODES = ['auto', 'require', 'none'] as const;
export type GpuMode = (typeof GPU_MODES)[number];

/** The one argument of the platform's process, as JSON. Holds no secret. */
export interface PlatformOptions {
  /** TOOLKIT_HOME, absolute. */
  home: string;
  /** Wished port; null keeps the last one, else 8890 or the next free one. 0 takes any free one. */
  port: number | null;
  host: string;
  /** Address that clients and workers are told; null: `http://host:port`. */
  advertise: string | null;
  driver: DriverName;
  gpu: GpuMode;
  quota: number;
  /** Version of the toolkit that starts it. */
  version: string;
  /** Wheel of toolkit_sdk that workers boot from; its path goes on their PYTHONPATH. */
  workerPackage: string;
  /** Interpreter named by TOOLKIT_PYTHON; null: those on PATH. */
  python: string | null;
  /** Where the uv for base layers lies or will lie; null: pip of the interpreter. */
  uv: string | null;
  /** Webhooks may go to loopback and private addresses too. */
  allowPrivateWebhooks: boolean;
  /** Bytes of all inputs that may wait; one endpoint may have a share of them. */
  maxWaitingBytes: number;
}

/** Sent once over the IPC channel, which is then closed. */
export type PlatformStartMessage =
  | { type: 'ready'; record: PlatformRecord }
  | { type: 'failed'; error: ErrorBody };
