/**
 * Logs on this machine's disk, as the node agent writes them. The log of a worker consists of pieces, and
 * only the last one grows. The first is `<worker>.log`, each later one `<worker>.<bytes before it>.log`. The
 * agent removes old pieces.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log.ts';
import type { LogBytes, NodeLogs, WorkerLog } from './workerLogs.ts';

interface LogPiece {
  file: string;
  /** Bytes of the log before it. */
  start: number;
}

const PIECE = /^([^.]+)(?:\.(\d+))?\.log$/;

export class LocalLogs implements NodeLogs {
  readonly #folder: string;
  readonly #log: Log;

  /** @param folder Contains a folder for each endpoint. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  async of(endpoint: string): Promise<WorkerLog[]> {
    const logs = await logsIn(path.join(this.#folder, endpoint));
    return Promise.all(
      [...logs].map(async ([worker, pieces]) => ({
        worker,
        written: await lastWrite(pieces),
        read: (from) => readPieces(pieces, from),
        remove: () => removePieces(pieces),
      })),
    );
  }

  note(endpoint: string, worker: string, line: string): void {
    try {
      appendFileSync(growingPiece(path.join(this.#folder, endpoint), worker), `${line}\n`);
    } catch (error) {
      this.#log.warn({ err: error, worker }, "a line was not written to the worker's log");
    }
  }

  async forget(endpoint: string): Promise<void> {
    await rm(path.join(this.#folder, endpoint), { recursive: true, force: true });
  }
}

/** Worker → the pieces of its log in the folder, oldest first. */
async function logsIn(folder: string): Promise<Map<string, LogPiece[]>> {
  try {
    return piecesOf(folder, await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
}

/** The file of a worker's log that grows, even if it does not exist yet. */
function growingPiece(folder: string, worker: string): string {
  const last = piecesOf(folder, readdirSync(folder)).get(worker)?.at(-1);
  return last?.file ?? path.join(folder, `${worker}.log`);
}

/** Reads a log from an offset, or from its oldest piece if that starts later. */
async function readPieces(pieces: readonly LogPiece[], from: number): Promise<LogBytes> {
  const read: Buffer[] = [];
  let start: number | null = null;
  let since = new Date(0);
  for (const piece of pieces) {
    const found = await readPiece(piece.file, Math.max(0, from - piece.start));
    // The agent removes the oldest piece when it starts a new one.
    if (!found) continue;
    if (start === null) {
      start = Math.max(from, piece.start);
      since = found.birth;
    }
    read.push(found.bytes);
  }
  return { start: start ?? from, bytes: Buffer.concat(read), since: since.toISOString() };
}

/** When a log was last written, milliseconds since 1970. */
async function lastWrite(pieces: readonly LogPiece[]): Promise<number> {
  try {
    return (await stat(pieces.at(-1)!.file)).mtimeMs;
  } catch (error) {
    // The agent has removed it.
    if (isMissing(error)) return 0;
    throw error;
  }
}

async function removePieces(pieces: readonly LogPiece[]): Promise<void> {
  for (const { file } of pieces) await rm(file, { force: true });
}

function piecesOf(folder: string, names: readonly string[]): Map<string, LogPiece[]> {
  const found = names.flatMap((name) => {
    const [, worker, start = '0'] = PIECE.exec(name) ?? [];
    return worker === undefined ? [] : [{ worker, file: path.join(folder, name), start: Number(start) }];
  });
  return Map.groupBy(
    found.toSorted((a, b) => a.start - b.start),
    ({ worker }) => worker,
  );
}

/** Null if the file no longer exists. */
async function readPiece(file: string, from: number): Promise<{ bytes: Buffer; birth: Date } | null> {
  try {
    await using handle = await open(file);
    const { size, birthtime } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    return { bytes: buffer.subarray(0, bytesRead), birth: birthtime };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
