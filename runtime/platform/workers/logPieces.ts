/**
 * Workers' logs on disk, as the node agent writes them: a worker's is in pieces, the last of which grows. The first is
 * `<worker>.log`, each further one `<worker>.<bytes before it>.log`, and older ones are gone: a place in a log is told
 * by the bytes before it, whatever is kept.
 */
import { readdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

export interface LogPiece {
  file: string;
  /** Bytes of the log before it. */
  start: number;
}

/** What is read of a log. */
export interface LogBytes {
  /** Bytes of the log before these. */
  start: number;
  bytes: Buffer;
  /** ISO 8601: when its first piece was made, the time of lines that tell none. */
  since: string;
}

const PIECE = /^([^.]+)(?:\.(\d+))?\.log$/;

/** Worker → the pieces that a folder has of its log, oldest first. */
export async function logsIn(folder: string): Promise<Map<string, LogPiece[]>> {
  try {
    return piecesOf(folder, await readdir(folder));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
}

/** The piece of a worker's log that grows, whether it is there or not. */
export function growingPiece(folder: string, worker: string): string {
  const last = piecesOf(folder, readdirSync(folder)).get(worker)?.at(-1);
  return last?.file ?? path.join(folder, `${worker}.log`);
}

/** A log from a place on, or from its oldest piece where that is later. */
export async function readPieces(pieces: readonly LogPiece[], from: number): Promise<LogBytes> {
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
export async function lastWrite(pieces: readonly LogPiece[]): Promise<number> {
  return (await stat(pieces.at(-1)!.file)).mtimeMs;
}

export async function removePieces(pieces: readonly LogPiece[]): Promise<void> {
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
