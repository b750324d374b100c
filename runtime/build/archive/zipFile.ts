/** An open zip file: its entries, and their compressed or uncompressed bytes, read through one sliding window. */
import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { ToolkitError } from '../../contract/errors.ts';
import { readZipDirectory, ZIP_STORED, type ZipEntry } from './zipDirectory.ts';

/** Bytes per read. Entries follow each other in the file, so most are already in the window. */
const WINDOW = 1 << 20;
const LOCAL_HEADER_LENGTH = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

/** One zip file. Close it when done. */
export class ZipFile {
  readonly entries: ZipEntry[];
  readonly label: string;
  readonly #file: FileHandle;
  readonly #window = Buffer.allocUnsafe(WINDOW);
  #start = 0;
  #length = 0;

  private constructor(file: FileHandle, entries: ZipEntry[], label: string) {
    this.#file = file;
    this.entries = entries;
    this.label = label;
  }

  /**
   * Opens a zip file and reads its directory.
   *
   * @param label Name of the file in messages, at the start of a sentence.
   * @throws ToolkitError WHEEL_INVALID
   */
  static async open(path: string, label: string): Promise<ZipFile> {
    const file = await open(path);
    try {
      return new ZipFile(file, await readZipDirectory(file, label), label);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The entry's bytes as they are in the file. A chunk is valid only until the next one is requested. */
  async *compressedChunks(entry: ZipEntry): AsyncGenerator<Buffer> {
    const header = await this.#read(entry.headerOffset, LOCAL_HEADER_LENGTH);
    if (header.length < LOCAL_HEADER_LENGTH || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
      throw this.#broken(entry);
    }
    let offset = entry.headerOffset + LOCAL_HEADER_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28);
    const end = offset + entry.compressedSize;
    while (offset < end) {
      const chunk = await this.#read(offset, end - offset);
      if (chunk.length === 0) throw this.#broken(entry);
      yield chunk;
      offset += chunk.length;
    }
  }

  /** A stored entry's bytes, checked after the last chunk. A chunk is valid only until the next one is requested. */
  async *storedChunks(entry: ZipEntry): AsyncGenerator<Buffer> {
    let crc = 0;
    for await (const chunk of this.compressedChunks(entry)) {
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (entry.compressedSize !== entry.size || crc !== entry.crc) throw this.#broken(entry);
  }

  /** The whole entry, decompressed and checked. Used for the small files that an installer reads or rewrites. */
  async contents(entry: ZipEntry): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.compressedChunks(entry)) chunks.push(Buffer.from(chunk));
    const packed = Buffer.concat(chunks);
    const plain = entry.method === ZIP_STORED ? packed : this.#inflate(entry, packed);
    if (plain.length !== entry.size || crc32(plain) !== entry.crc) throw this.#broken(entry);
    return plain;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #inflate(entry: ZipEntry, packed: Buffer): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
    } catch (cause) {
      throw this.#broken(entry, cause);
    }
  }

  /** At most `length` bytes from `offset`; a view of the window. */
  async #read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, WINDOW);
    const held = offset >= this.#start ? this.#start + this.#length - offset : 0;
    if (held < wanted && held < WINDOW / 4) {
      const { bytesRead } = await this.#file.read(this.#window, 0, WINDOW, offset);
      this.#start = offset;
      this.#length = bytesRead;
    }
    const from = offset - this.#start;
    return this.#window.subarray(from, Math.min(from + wanted, this.#length));
  }

  #broken(entry: ZipEntry, cause?: unknown): ToolkitError {
    return new ToolkitError(
      'WHEEL_INVALID',
      `${this.label} cannot be used: its file "${entry.name}" is damaged.`,
      {
        hint: 'Pin another version of the package, or report the broken wheel to its publisher.',
        cause,
      },
    );
  }
}
