/**
 * Writes an incoming body to a file and hashes it in one pass. The disk writes one block while the next one
 * arrives.
 */
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes per read or write. With a socket's 64 kB, each piece would cost a turn of a thread. */
const BLOCK = 1 << 20;

/**
 * Writes a piece of an upload to its file and adds it to the hash. Bytes that arrived before a failure are
 * kept.
 *
 * @param start The offset of the piece; 0 truncates the file first.
 * @returns the offset of its end, once it is on disk.
 */
export async function appendHashed(
  file: string,
  start: number,
  body: AsyncIterable<Buffer>,
  hash: Hash,
): Promise<number> {
  const handle = await open(file, start === 0 ? 'w' : 'r+', 0o600);
  let position = start;
  let writing = Promise.resolve();
  try {
    for await (const pieces of blocks(body)) {
      const length = lengthOf(pieces);
      await writing;
      writing = writeAll(handle, pieces, position);
      // Awaited before the next block, or below.
      writing.catch(() => undefined);
      for (const piece of pieces) hash.update(piece);
      position += length;
    }
    await writing;
    await handle.sync();
  } finally {
    await writing.catch(() => undefined);
    await handle.close();
  }
  return position;
}

/** Groups the chunks of a socket. If the body breaks off, the last group is yielded before the error. */
async function* blocks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length < BLOCK) continue;
      yield pieces;
      pieces = [];
      length = 0;
    }
  } catch (error) {
    if (length > 0) yield pieces;
    throw error;
  }
  if (length > 0) yield pieces;
}

/** A disk that is nearly full accepts some of the bytes and fails for the rest. */
async function writeAll(handle: FileHandle, pieces: Buffer[], position: number): Promise<void> {
  let { bytesWritten } = await handle.writev(pieces, position);
  const length = lengthOf(pieces);
  if (bytesWritten === length) return;
  const whole = Buffer.concat(pieces);
  while (bytesWritten < length) {
    const rest = length - bytesWritten;
    bytesWritten += (await handle.write(whole, bytesWritten, rest, position + bytesWritten)).bytesWritten;
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Adds the bytes of an interrupted upload to the hash. */
export async function hashStored(file: string, hash: Hash): Promise<void> {
  const stored = createReadStream(file, { highWaterMark: BLOCK }) as AsyncIterable<Buffer>;
  for await (const chunk of stored) hash.update(chunk);
}
