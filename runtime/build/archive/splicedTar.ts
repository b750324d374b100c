/**
 * Files → gzip members that together form one tar (RFC 1952). Each tar header, with the padding of the file before it, is a
 * stored member. Each file is the wheel's own deflated bytes between a gzip header and trailer, so nothing is compressed
 * twice. A part ends at a tar block without the end-of-archive marker: the code part, which comes last, contains that.
 */
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import type { PartWriter } from './partWriter.ts';
import { type ArchiveMode, paddingAfter, tarHeader } from './tarHeader.ts';
import { ZIP_DEFLATED, type ZipEntry } from './zipDirectory.ts';
import type { ZipFile } from './zipFile.ts';

/** Method deflate, no flags, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Flag of a header with an extra field. */
const HAS_EXTRA = 4;
/** Bytes of an extra field before its data: the field's length, its kind, and the length of the data. */
const EXTRA_HEAD = 2 + 2 + 2;
const LONGEST_STORED_BLOCK = 0xffff;
/** Files with more bytes than this are compressed in a stream. */
const SMALL = 1 << 20;
const COMPRESSION = { level: 6, chunkSize: 1 << 18 } as const;

/** A tar made of spliced members. */
export class SplicedTar {
  readonly #out: PartWriter;
  #padding = 0;

  constructor(out: PartWriter) {
    this.#out = out;
  }

  /** Adds a zip's entry under another path. Deflated bytes are copied; stored bytes are compressed. */
  async addEntry(path: string, mode: ArchiveMode, zip: ZipFile, entry: ZipEntry): Promise<void> {
    if (entry.method !== ZIP_DEFLATED && entry.size <= SMALL) {
      return this.addBytes(path, mode, await zip.contents(entry));
    }
    await this.#begin(path, entry.size, mode);
    if (entry.size === 0) return;
    await this.#out.write(GZIP_HEADER);
    if (entry.method === ZIP_DEFLATED) {
      for await (const chunk of zip.compressedChunks(entry)) await this.#out.write(chunk);
    } else {
      await this.#deflate(zip.storedChunks(entry));
    }
    await this.#out.write(trailer(entry.crc, entry.size));
  }

  /** Adds a small file from memory. */
  async addBytes(path: string, mode: ArchiveMode, bytes: Buffer): Promise<void> {
    await this.#begin(path, bytes.length, mode);
    if (bytes.length === 0) return;
    await this.#out.write(GZIP_HEADER);
    await this.#out.write(deflateRawSync(bytes, { level: COMPRESSION.level }));
    await this.#out.write(trailer(crc32(bytes), bytes.length));
  }

  /** Pads the last file, so that another part can follow. */
  async finish(): Promise<void> {
    if (this.#padding > 0) await this.#out.write(storedMember(Buffer.alloc(this.#padding)));
    this.#padding = 0;
  }

  async #begin(path: string, size: number, mode: ArchiveMode): Promise<void> {
    await this.#out.write(
      storedMember(Buffer.concat([Buffer.alloc(this.#padding), tarHeader(path, size, mode)])),
    );
    this.#padding = paddingAfter(size);
  }

  async #deflate(chunks: AsyncIterable<Buffer>): Promise<void> {
    const deflate = createDeflateRaw({ ...COMPRESSION, finishFlush: constants.Z_FINISH });
    const feed = async () => {
      for await (const chunk of chunks) {
        // The chunk's bytes are valid only until the next one is read, so wait until they are consumed.
        await new Promise<void>((resolve, reject) =>
          deflate.write(chunk, (error) => (error ? reject(error) : resolve())),
        );
      }
      deflate.end();
    };
    feed().catch((error: unknown) =>
      deflate.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    for await (const packed of deflate) await this.#out.write(packed as Buffer);
  }
}

/**
 * An empty member with bytes in its header that readers skip (the extra field, RFC 1952, 2.3.1.1).
 *
 * @param carried - Returns these bytes, given how many bytes of the member come before them.
 * @returns The member's bytes before the carried ones, the carried ones, and the bytes after them.
 */
export function emptyMemberAround(carried: (before: number) => Buffer): [Buffer, Buffer, Buffer] {
  const bytes = carried(GZIP_HEADER.length + EXTRA_HEAD);
  const extra = Buffer.alloc(EXTRA_HEAD);
  extra.writeUInt16LE(bytes.length + 4, 0);
  extra.write('TK', 2, 'latin1');
  extra.writeUInt16LE(bytes.length, 4);
  const head = Buffer.concat([GZIP_HEADER, extra]);
  head[3] = HAS_EXTRA;
  return [head, bytes, Buffer.concat([deflateRawSync(''), trailer(0, 0)])];
}

/** A gzip member of uncompressed bytes. */
function storedMember(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [GZIP_HEADER];
  for (let from = 0; from < bytes.length; from += LONGEST_STORED_BLOCK) {
    const piece = bytes.subarray(from, from + LONGEST_STORED_BLOCK);
    const isLast = from + piece.length >= bytes.length;
    const head = Buffer.alloc(5);
    head[0] = isLast ? 1 : 0;
    head.writeUInt16LE(piece.length, 1);
    head.writeUInt16LE(piece.length ^ 0xffff, 3);
    pieces.push(head, piece);
  }
  return Buffer.concat([...pieces, trailer(crc32(bytes), bytes.length)]);
}

function trailer(crc: number, size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(crc, 0);
  bytes.writeUInt32LE(size % 0x1_0000_0000, 4);
  return bytes;
}
