/**
 * Reads workers' logs: JSON lines, and any other line as plain text. Removes the logs of workers that ended
 * long ago.
 */
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import type { WorkerLogLine } from '../../contract/workerProtocol.ts';
import type { WorkerLog } from '../drivers/workerLogs.ts';

/** Number of logs of ended workers that are kept per endpoint. */
const KEPT_LOGS = 20;
const DEFAULT_LINES = 1_000;
const LAST_LINES = 20;

const lineSchema = z.object({
  time: z.string(),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  worker: z.string(),
  request: z.nullable(z.string()),
  message: z.string(),
});

export interface LogPage {
  lines: WorkerLogLine[];
  /** Continues after the last line of this page. */
  cursor: string;
}

export interface LogQuery {
  /** Null: all. */
  worker: string | null;
  /** ISO 8601; null: from the start. */
  since: string | null;
  cursor: string | null;
  /** Most lines; null: 1000. */
  limit: number | null;
  /** Running workers, which may not have written anything yet. */
  running: ReadonlySet<string>;
}

/** Worker → number of bytes read. */
type Offsets = Record<string, number>;

/** The logs of an endpoint's workers. */
export type LogsOf = (endpointId: string) => Promise<WorkerLog[]>;

/**
 * A page of an endpoint's log lines, oldest first: the last lines, or with a cursor those after it.
 *
 * @throws ToolkitError BAD_REQUEST for an invalid cursor or time, NOT_FOUND for a worker that never ran.
 */
export async function readLogs(logs: WorkerLog[], query: LogQuery): Promise<LogPage> {
  const since = readInstant(query.since);
  const from = readCursor(query.cursor);
  const read: { line: WorkerLogLine; worker: string; end: number }[] = [];
  // A log that cannot be read now continues later from its last offset.
  const offsets: Offsets = { ...from };
  const known = logs.map(({ worker }) => worker);
  if (query.worker !== null && !known.includes(query.worker) && !query.running.has(query.worker)) {
    throw new ToolkitError('NOT_FOUND', `This endpoint has no worker "${query.worker}".`, {
      hint:
        known.length > 0
          ? `Workers with a log: ${known.toSorted().join(', ')}.`
          : 'None of its workers has run yet. Call the endpoint first.',
    });
  }
  for (const log of logs) {
    const { worker } = log;
    offsets[worker] = from[worker] ?? 0;
    if (query.worker !== null && worker !== query.worker) continue;
    const { lines, end } = await readFrom(log, from[worker] ?? 0);
    read.push(...lines.map((entry) => ({ ...entry, worker })));
    offsets[worker] = end;
  }
  const sorted = read
    .filter(({ line }) => since === null || Date.parse(line.time) >= since)
    .sort((a, b) => (a.line.time < b.line.time ? -1 : a.line.time > b.line.time ? 1 : 0));
  const limit = Math.max(1, query.limit ?? DEFAULT_LINES);
  if (query.cursor === null) return page(sorted.slice(-limit), offsets);
  // Lines that do not fit on this page are read again by the next one: each log continues after its last line
  // here.
  for (const { worker } of sorted.slice(limit)) offsets[worker] = from[worker] ?? 0;
  for (const { worker, end } of sorted.slice(0, limit)) offsets[worker] = Math.max(offsets[worker] ?? 0, end);
  return page(sorted.slice(0, limit), offsets);
}

/** The messages of a worker's last lines. */
export async function lastLines(logs: WorkerLog[], worker: string): Promise<string[]> {
  const log = logs.find((each) => each.worker === worker);
  if (!log) return [];
  const { lines } = await readFrom(log, 0);
  return lines.slice(-LAST_LINES).map(({ line }) => line.message);
}

/** Removes the logs of ended workers, except the newest. */
export async function removeOldLogs(logs: WorkerLog[], running: ReadonlySet<string>): Promise<void> {
  const ended = logs.filter(({ worker }) => !running.has(worker));
  const oldest = ended.toSorted((a, b) => b.written - a.written).slice(KEPT_LOGS);
  for (const log of oldest) await log.remove();
}

async function readFrom({ worker, read }: WorkerLog, from: number) {
  const { start, bytes, since } = await read(from);
  const lines: { line: WorkerLogLine; end: number }[] = [];
  let time = since;
  let position = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, position)) {
    const line = decodeLine(bytes.toString('utf8', position, end), worker, time);
    position = end + 1;
    if (!line) continue;
    time = line.time;
    lines.push({ line, end: start + position });
  }
  return { lines, end: start + position };
}

function decodeLine(text: string, worker: string, time: string): WorkerLogLine | null {
  if (text.trim() === '') return null;
  if (text.startsWith('{')) {
    try {
      const parsed = lineSchema.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // A line that only looks like JSON is returned as plain text.
    }
  }
  return { time, level: 'info', worker, request: null, message: text };
}

function page(entries: { line: WorkerLogLine }[], offsets: Offsets): LogPage {
  return {
    lines: entries.map(({ line }) => line),
    cursor: Buffer.from(JSON.stringify(offsets)).toString('base64url'),
  };
}

/** Milliseconds since 1970 of an ISO 8601 time or date. */
function readInstant(text: string | null): number | null {
  if (text === null) return null;
  const instant = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new ToolkitError('BAD_REQUEST', `"${text}" is not an ISO 8601 time.`, {
    hint: 'Write it as 2030-01-31T12:00:00Z.',
  });
}

function readCursor(cursor: string | null): Offsets {
  if (cursor === null) return {};
  try {
    return z.record(z.string(), z.number()).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw new ToolkitError('BAD_REQUEST', 'This cursor is not valid.', {
      hint: 'Start again without a cursor.',
      cause: error,
    });
  }
}
