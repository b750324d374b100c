/**
 * Stores the parts of artifacts by content. Parts are received in pieces, and their size and sha256 are
 * checked before they can be used.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { PartRef } from '../../contract/deployment.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS, PROJECT_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { appendHashed, hashStored } from './appendHashed.ts';

const PARTIAL = '.partial';
const CONTENT = /^[0-9a-f]{64}$/;

/** What an upload is checked against. */
export type ExpectedPart = Pick<PartRef, 'content' | 'sha256' | 'size'>;

export class Parts {
  readonly #store: Store;
  readonly #folder: string;
  readonly #log: Log;
  readonly #known = new Map<string, ExpectedPart & { stored: number }>();
  /** Contents whose partial file is being written. */
  readonly #receiving = new Set<string>();
  /** Complete parts are added one after the other. */
  #keeping: Promise<void> = Promise.resolve();

  private constructor(store: Store, folder: string, log: Log) {
    this.#store = store;
    this.#folder = folder;
    this.#log = log;
  }

  /** @param folder Where the parts are stored; created if missing. */
  static async load(store: Store, folder: string, log: Log): Promise<Parts> {
    const parts = new Parts(store, folder, log);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const row of await store.parts.all()) {
      if ((await sizeOf(parts.file(row.content))) === row.size) parts.#known.set(row.content, row);
      else await store.parts.delete(row.content);
    }
    await parts.removeAbandoned();
    return parts;
  }

  file(content: string): string {
    return path.join(this.#folder, content);
  }

  has(content: string): boolean {
    return this.#known.has(content);
  }

  find(content: string): ExpectedPart | null {
    return this.#known.get(content) ?? null;
  }

  /**
   * A part's bytes, including the one at `end`. If a complete part does not match its hash, the stream fails
   * before its last piece and the part is removed; the next deploy uploads it again.
   */
  read({ content, sha256, size }: ExpectedPart, start: number, end: number): Readable {
    const bytes = createReadStream(this.file(content), { start, end });
    return start === 0 && end === size - 1 ? Readable.from(this.#checked(content, sha256, bytes)) : bytes;
  }

  async *#checked(content: string, sha256: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let held: Buffer | null = null;
    for await (const chunk of bytes) {
      hash.update(chunk);
      if (held) yield held;
      held = chunk;
    }
    if (hash.digest('hex') !== sha256) {
      this.#log.error({ content }, 'removing a part that is damaged on disk');
      await this.remove((part) => part.content === content);
      throw new Error(`The part ${content} is damaged on disk; it was removed.`);
    }
    if (held) yield held;
  }

  /**
   * The offset at which an upload continues; the full size once it is complete. An upload cannot be continued
   * while another one of the same part is running.
   */
  async offset(content: string): Promise<number> {
    const known = this.#known.get(content);
    if (known) return known.size;
    return this.#receiving.has(content) ? 0 : await sizeOf(this.#partial(content));
  }

  /**
   * Appends a piece; the last one completes the part. If a part is uploaded several times at once, each later
   * upload starts from the beginning in a file of its own. No upload waits for another, whose client may be
   * gone.
   *
   * @param start The offset of the piece, which must be the current one. 0 starts over.
   * @returns the new offset.
   * @throws ToolkitError CONFLICT, UPLOAD_REJECTED, STORAGE_FULL.
   */
  async receive(expected: ExpectedPart, start: number, body: AsyncIterable<Buffer>): Promise<number> {
    const { content, size } = expected;
    if (this.has(content)) return size;
    const isFirst = !this.#receiving.has(content);
    const partial = isFirst ? this.#partial(content) : this.#partial(`${content}.${randomUUID()}`);
    this.#receiving.add(content);
    try {
      const offset = start === 0 ? 0 : await sizeOf(partial);
      if (start !== offset) {
        throw new ToolkitError(
          'CONFLICT',
          `This upload must continue at byte ${offset}, not at byte ${start}.`,
        );
      }
      const hash = createHash('sha256');
      if (start > 0) await hashStored(partial, hash);
      const end = await appendHashed(partial, start, limited(body, size - start, size), hash);
      if (end === size) await this.#complete(expected, partial, hash.digest('hex'));
      return end;
    } catch (error) {
      throw isDiskFull(error) ? storageFull() : error;
    } finally {
      if (isFirst) this.#receiving.delete(content);
      else await rm(partial, { force: true });
    }
  }

  /** Removes parts. `stored` is in milliseconds since 1970. */
  async remove(isUnused: (part: { content: string; stored: number }) => boolean): Promise<void> {
    for (const part of this.#known.values()) {
      if (!isUnused(part)) continue;
      const { content } = part;
      this.#known.delete(content);
      await this.#store.parts.delete(content);
      await rm(this.file(content), { force: true });
    }
  }

  /** Removes incomplete uploads whose tickets have expired. */
  async removeAbandoned(): Promise<void> {
    const latest = wallClock() - PLATFORM_LIMITS.uploadTicket;
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (name.endsWith(PARTIAL) && (await stat(file)).mtimeMs < latest) await rm(file, { force: true });
    }
  }

  async #complete(expected: ExpectedPart, partial: string, sha256: string): Promise<void> {
    if (sha256 !== expected.sha256) {
      await rm(partial, { force: true });
      throw rejected('its sha256 does not match the announced one');
    }
    const kept = this.#keeping.then(() => this.#keep(expected, partial));
    this.#keeping = kept.catch(() => {});
    await kept;
  }

  /**
   * The first complete upload is kept: it may already be in use, and equal content can have different bytes.
   */
  async #keep(expected: ExpectedPart, partial: string): Promise<void> {
    if (this.has(expected.content)) return rm(partial, { force: true });
    await rename(partial, this.file(expected.content));
    const row = { ...pick(expected), stored: wallClock() };
    await this.#store.parts.put(row);
    this.#known.set(expected.content, row);
  }

  #partial(name: string): string {
    return path.join(this.#folder, `${name}${PARTIAL}`);
  }
}

/** @throws ToolkitError UPLOAD_REJECTED after the remaining bytes of a part. */
async function* limited(body: AsyncIterable<Buffer>, left: number, size: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > left) throw rejected(`it is larger than the announced ${size} bytes`);
    yield chunk;
  }
}

/** @throws ToolkitError UPLOAD_REJECTED for a part with invalid hashes or size. */
export function checkPart(part: PartRef): void {
  if (!CONTENT.test(part.content) || !CONTENT.test(part.sha256))
    throw rejected('its hashes are not sha256 hashes');
  if (!Number.isInteger(part.size) || part.size < 0) throw rejected('its size is not a number of bytes');
  if (part.size > PROJECT_LIMITS.artifactBytes) {
    throw new ToolkitError('ARTIFACT_TOO_LARGE', 'A part of the artifact is larger than 1.5 GB.', {
      hint: 'Exclude packages that the workers do not need with --exclude.',
    });
  }
}

function pick({ content, sha256, size }: ExpectedPart): ExpectedPart {
  return { content, sha256, size };
}

function rejected(why: string): ToolkitError {
  return new ToolkitError('UPLOAD_REJECTED', `The uploaded part was rejected: ${why}.`, {
    hint: 'Deploy again to upload it.',
  });
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function storageFull(): ToolkitError {
  return new ToolkitError('STORAGE_FULL', 'The platform has no space left for this part.', {
    hint: 'Free some space on the disk of TOOLKIT_HOME, then deploy again.',
  });
}
