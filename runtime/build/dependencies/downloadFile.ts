/** Downloads a locked file and checks its hash. Resumes interrupted downloads, and retries after temporary failures. */
import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ToolkitError } from '../../contract/errors.ts';
import { asWriteError, systemCode } from '../fileErrors.ts';
import { leftovers } from '../leftovers.ts';
import type { Authorize } from './credentials.ts';
import { AccessDenied, downloadError, FileMissing, notLocked, Refused } from './downloadError.ts';
import type { LockedPackage } from './lock.ts';

const ATTEMPTS = 4;
const RETRY_MS = 400;
const CHUNK = 1 << 20;

/** Callbacks and credentials of one download. */
export interface DownloadOptions {
  authorize: Authorize;
  onBytes: (done: number, total: number | null) => void;
  onTotal: (bytes: number) => void;
  signal: AbortSignal;
}

/**
 * Downloads a wheel or source distribution to `target`. Writes to a file of its own process first, since two builds can
 * download the same file at the same time. Continues a download that an interrupted build left unfinished.
 *
 * @throws ToolkitError DOWNLOAD_FAILED, DISK_FULL or NOT_WRITABLE.
 */
export async function downloadFile(
  wheel: LockedPackage,
  target: string,
  options: DownloadOptions,
): Promise<void> {
  const part = await takePart(target);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isResumed = await fetchTo(part, wheel, options);
      if ((await sha256Of(part, options.signal)) === wheel.sha256) break;
      await rm(part, { force: true });
      // The bytes that an earlier build left may be wrong, so the whole file is downloaded again.
      if (!isResumed) throw notLocked(wheel);
    } catch (error) {
      options.signal.throwIfAborted();
      const writeError = asWriteError(error, part);
      if (writeError instanceof ToolkitError) {
        // An unfinished file must not keep the disk full.
        await rm(part, { force: true });
        throw writeError;
      }
      if (error instanceof Refused || attempt === ATTEMPTS) throw downloadError(wheel, error);
      await sleep(RETRY_MS * 2 ** attempt, undefined, { signal: options.signal });
    }
  }
  await rename(part, target);
}

/** Path of this process's unfinished file. Takes over the one that an ended process left, if any. */
async function takePart(target: string): Promise<string> {
  const part = `${target}.${process.pid}.part`;
  const unfinished = new RegExp(String.raw`^${path.basename(target)}\.(\d+)\.part$`);
  const [left] = await leftovers(path.dirname(target), unfinished);
  if (left) {
    await rename(left, part).catch((error: unknown) => {
      // Another build took it first.
      if (systemCode(error) !== 'ENOENT') throw error;
    });
  }
  return part;
}

/** Downloads to the unfinished file. Returns whether it kept bytes that were already there. */
async function fetchTo(part: string, wheel: LockedPackage, options: DownloadOptions): Promise<boolean> {
  const url = new URL(wheel.url);
  if (url.protocol === 'file:') {
    await copyTo(part, fileURLToPath(url), options);
    return false;
  }
  const held = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const authorization = await options.authorize(url);
  const headers = {
    ...(held > 0 ? { range: `bytes=${held}-` } : {}),
    ...(authorization ? { authorization } : {}),
  };
  const response = await fetch(url, { headers, signal: options.signal });
  // The unfinished file already has all bytes, and its hash is checked next.
  if (response.status === 416 && held > 0) {
    await response.body?.cancel();
    return true;
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    const message = `the server returned ${response.status}`;
    if (response.status === 401 || response.status === 403) throw new AccessDenied(message);
    throw response.status < 500 && response.status !== 429 ? new Refused(message) : new Error(message);
  }
  const resumes = response.status === 206;
  const from = resumes ? held : 0;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) && !response.headers.has('content-encoding') ? from + length : null;
  if (total !== null) options.onTotal(total);
  const target = await open(part, resumes ? 'a' : 'w');
  try {
    let done = from;
    for await (const chunk of response.body) {
      await target.writeFile(chunk);
      options.onBytes((done += chunk.length), total);
    }
  } finally {
    await target.close();
  }
  return resumes;
}

async function copyTo(part: string, file: string, options: DownloadOptions): Promise<void> {
  let size: number;
  try {
    ({ size } = await stat(file));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new FileMissing(`${file} does not exist`);
    throw error;
  }
  options.onTotal(size);
  const target = await open(part, 'w');
  try {
    let done = 0;
    for await (const chunk of chunksOf(file, options.signal)) {
      await target.writeFile(chunk);
      options.onBytes((done += chunk.length), size);
    }
  } finally {
    await target.close();
  }
}

/** Hex sha256 of a file. */
export async function sha256Of(file: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of chunksOf(file, signal)) digest.update(chunk);
  return digest.digest('hex');
}

/** A file's bytes through one buffer: a stream would leave up to a gigabyte of buffers to the garbage collector. */
async function* chunksOf(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const handle = await open(file);
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
