/**
 * Logs on this machine's disk, as the node agent writes them: a worker's is in pieces, the last of which grows. The first is
 * `<worker>.log`, each further one `<worker>.<bytes before it>.log`, and older ones are gone.
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

  /** @param folder It has a folder for each endpoint. */
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

/** Worker → the pieces that a folder has of its log, oldest first. */
async function logsIn(folder: string): Promise<Map<string, LogPiece[]>> {
  try {
    return piecesOf(folder, await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
}

/** The piece of a worker's log that grows, whether it is there or not. */
function growingPiece(folder: string, worker: string): string {
  const last = piecesOf(folder, readdirSync(folder)).get(worker)?.at(-1);
  return last?.file ?? path.join(folder, `${worker}.log`);
}

/** A log from a place on, or from its oldest piece where that is later. */
async function readPieces(pieces: readonly LogPiece[], from: number): Promise<LogBytes> {
  const read: Buffer[] = [];
  let start: number | null = null;
  let since = new Date(0);
  for (const piece of pieces) {
    const found = await readPiece(piece.file, Math.max(0, from - piece.start));
    // The agent removes the oldest one when it begins the next.
    if (!found) continue;
    if (start === null) {
      start = Math.max(from, piece.start);
      since = found.birth;
    }
    read.push(found.bytes);
  }
  return { start: start ?? from, bytes: Buffer.concat(read), since: since.toISOString() };
}

/** When a log was written to, milliseconds since 1970. */
async function lastWrite(pieces: readonly LogPiece[]): Promise<number> {
  try {
    return (await stat(pieces.at(-1)!.file)).mtimeMs;
  } catch (error) {
    // Removed meanwhile.
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

/** Null when it is gone. */
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
