/** A sent request, and its response so far. */
import type { JobStage } from '../../runtime/contract/job.ts';
import { HARDWARE_HEADER } from '../../runtime/contract/requestPage.ts';
import type { Send } from '../PageHost.ts';

export interface Exchange {
  state: 'running' | 'answered' | 'stopped' | 'failed';
  /** Stage of a running job; null until it is known. */
  stage: JobStage | null;
  /** Whether the user has requested a stop. */
  isStopping: boolean;
  /** From `performance.now()`. */
  startedAt: number;
  milliseconds: number | null;
  status: number | null;
  type: string;
  worker: string | null;
  hardware: string | null;
  headers: [string, string][];
  /** The body of a text response, as far as it has arrived. */
  text: string;
  /** The body of a response that is not text. */
  bytes: Uint8Array<ArrayBuffer> | null;
  size: number;
  /** Why the request got no response; null if it got one. */
  failure: string | null;
}

/** The means to send and follow a request. */
export interface Sending {
  send: Send;
  signal: AbortSignal;
  update: (known: Partial<Exchange>) => void;
}

export function newExchange(): Exchange {
  return {
    state: 'running',
    stage: null,
    isStopping: false,
    startedAt: performance.now(),
    milliseconds: null,
    status: null,
    type: '',
    worker: null,
    hardware: null,
    headers: [],
    text: '',
    bytes: null,
    size: 0,
    failure: null,
  };
}

/** The fields of an exchange that the head of a response provides. */
export function headOf({ status, headers }: Response): Partial<Exchange> {
  return {
    status,
    type: (headers.get('content-type') ?? '').split(';', 1)[0]!.trim(),
    worker: headers.get('x-worker-id'),
    hardware: headers.get(HARDWARE_HEADER),
    headers: [...headers].sort(([a], [b]) => a.localeCompare(b)),
  };
}

/** The job in the response of a queue-based function; null for any other response. */
export function jobIn(exchange: Exchange): Job | null {
  if (exchange.state === 'running') return null;
  const value = parsed(exchange.text);
  return isObject(value) && typeof value['id'] === 'string' && typeof value['status'] === 'string'
    ? (value as unknown as Job)
    : null;
}

export interface Job {
  id: string;
  status: string;
  delayTime?: number;
  executionTime?: number;
  workerId?: string | null;
  output?: unknown;
  error?: string;
}

/** Why a function failed. */
export interface Failure {
  type: string | null;
  message: string;
  traceback: string | null;
}

export function failureOf(error: string): Failure {
  const value = parsed(error);
  if (!isObject(value)) return { type: null, message: error, traceback: null };
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : null);
  return {
    type: text('error_type'),
    message: text('error_message') ?? error,
    traceback: text('error_traceback'),
  };
}

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
