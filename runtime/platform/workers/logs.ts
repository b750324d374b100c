/** Reads workers' log files: one JSON line each, lines of anything else as they are; files stay within their bound. */
import { open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { WorkerLogLine } from '../../contract/workerProtocol.ts';

/** Log files of ended workers that an endpoint keeps. */
const KEPT_FILES = 20;
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
  /** Continues after the last line told. */
  cursor: string;
}

export interface LogQuery {
  /** null: all. */
  worker: string | null;
  /** ISO 8601; null: from the beginning. */
  since: string | null;
  cursor: string | null;
  /** Lines at most; null: 1000. */
  limit: number | null;
  /** Workers that run and may have written nothing yet. */
  running: ReadonlySet<string>;
}

/** Worker → bytes read. */
type Offsets = Record<string, number>;

/** Where logs lie: `logFile(endpoint, worker)` of the driver. */
export type LogFile = (endpointId: string, workerId: string) => string;

/**
 * A page of an endpoint's lines, oldest first: the last ones, or with a cursor those after it.
 *
 * @throws ToolkitError BAD_REQUEST for a cursor or instant that is none, NOT_FOUND for a worker that never ran.
 */
export async function readLogs(logFile: LogFile, endpointId: string, query: LogQuery): Promise<LogPage> {
  const since = readInstant(query.since);
  const from = readCursor(query.cursor);
  const read: { line: WorkerLogLine; worker: string; end: number }[] = [];
  const offsets: Offsets = { ...from };
  const known = await workersWithLogs(logFile, endpointId);
  if (query.worker !== null && !known.includes(query.worker) && !query.running.has(query.worker)) {
    throw new ToolkitError('NOT_FOUND', `This endpoint has no worker "${query.worker}".`, {
      hint:
        known.length > 0
          ? `Those with a log are ${known.toSorted().join(', ')}.`
          : 'No worker of it has run yet: call it first.',
    });
  }
  for (const worker of known) {
    if (query.worker !== null && worker !== query.worker) continue;
    const { lines, end } = await readFrom(logFile(endpointId, worker), worker, from[worker] ?? 0);
    read.push(...lines.map((entry) => ({ ...entry, worker })));
    offsets[worker] = end;
  }
  const sorted = read
    .filter(({ line }) => since === null || Date.parse(line.time) >= since)
    .sort((a, b) => (a.line.time < b.line.time ? -1 : a.line.time > b.line.time ? 1 : 0));
  const limit = Math.max(1, query.limit ?? DEFAULT_LINES);
  if (query.cursor === null) return page(sorted.slice(-limit), offsets);
  // What does not fit on this page is read again by the next: each file goes on where its told lines end.
  for (const { worker } of sorted.slice(limit)) offsets[worker] = from[worker] ?? 0;
  for (const { worker, end } of sorted.slice(0, limit)) offsets[worker] = Math.max(offsets[worker] ?? 0, end);
  return page(sorted.slice(0, limit), offsets);
}

/** The messages of a worker's last lines. */
export async function lastLines(logFile: LogFile, endpointId: string, workerId: string): Promise<string[]> {
  const { lines } = await readFrom(logFile(endpointId, workerId), workerId, 0);
  return lines.slice(-LAST_LINES).map(({ line }) => line.message);
}

/** Drops the older half of files over the bound, and the oldest files of ended workers. */
export async function trimLogs(
  logFile: LogFile,
  endpointId: string,
  running: ReadonlySet<string>,
): Promise<void> {
  const ended: { file: string; time: number }[] = [];
  for (const worker of await workersWithLogs(logFile, endpointId)) {
    const file = logFile(endpointId, worker);
    const { size, mtimeMs } = await stat(file);
    if (size > WORKER_LIMITS.logBytes) await dropOlderHalf(file, size);
    if (!running.has(worker)) ended.push({ file, time: mtimeMs });
  }
  const oldest = ended.toSorted((a, b) => b.time - a.time).slice(KEPT_FILES);
  for (const { file } of oldest) await rm(file, { force: true });
}

/** Workers append: the file is cut in place, and a line written in between may be lost. */
async function dropOlderHalf(file: string, size: number): Promise<void> {
  const half = await readBytes(file, Math.floor(size - WORKER_LIMITS.logBytes / 2));
  const firstLine = half.indexOf(0x0a) + 1;
  await truncate(file, 0);
  await writeFile(file, half.subarray(firstLine), { flag: 'a' });
}

async function workersWithLogs(logFile: LogFile, endpointId: string): Promise<string[]> {
  try {
    const files = await readdir(path.dirname(logFile(endpointId, '_')));
    return files.filter((file) => file.endsWith('.log')).map((file) => file.slice(0, -'.log'.length));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function readFrom(file: string, worker: string, from: number) {
  const bytes = await readBytes(file, from);
  // A file that was cut since the cursor was made is read from its start.
  const start = bytes.length === 0 && from > 0 && (await sizeOf(file)) < from ? 0 : from;
  const content = start === from ? bytes : await readBytes(file, 0);
  const lines: { line: WorkerLogLine; end: number }[] = [];
  let time = await birthOf(file);
  let position = 0;
  for (let end = content.indexOf(0x0a); end >= 0; end = content.indexOf(0x0a, position)) {
    const line = decodeLine(content.toString('utf8', position, end), worker, time);
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
      // A line that only looks like JSON is told as it is.
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

/** Milliseconds since 1970 of an ISO 8601 instant or day. */
function readInstant(text: string | null): number | null {
  if (text === null) return null;
  const instant = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new ToolkitError('BAD_REQUEST', `"${text}" is no time in ISO 8601.`, {
    hint: 'Write it as 2030-01-31T12:00:00Z.',
  });
}

function readCursor(cursor: string | null): Offsets {
  if (cursor === null) return {};
  try {
    return z.record(z.string(), z.number()).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (error) {
    throw new ToolkitError('BAD_REQUEST', 'This cursor is not one that the log gave.', {
      hint: 'Begin anew without a cursor.',
      cause: error,
    });
  }
}

async function readBytes(file: string, from: number): Promise<Buffer> {
  if (from === 0) return readFile(file).catch(emptyWhenMissing);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

/** When a file was made: the time of lines that tell none. */
async function birthOf(file: string): Promise<string> {
  try {
    return (await stat(file)).birthtime.toISOString();
  } catch (error) {
    if (isMissing(error)) return new Date(0).toISOString();
    throw error;
  }
}

function emptyWhenMissing(error: unknown): Buffer {
  if (isMissing(error)) return Buffer.alloc(0);
  throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
