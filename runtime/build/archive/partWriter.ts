/** Bytes → a file, in large writes. Passes the bytes to a hash, counts them, and stops at an abort. */
import type { FileHandle } from 'node:fs/promises';

const BUFFER = 1 << 20;

/** Writes to an open file. Only `finish` writes the last buffered bytes. */
export class PartWriter {
  /** Number of bytes received so far. */
  bytes = 0;
  readonly #file: Promise<FileHandle>;
  readonly #start: number;
  readonly #tap: (bytes: Uint8Array) => void;
  readonly #signal: AbortSignal;
  readonly #buffer = Buffer.allocUnsafe(BUFFER);
  #held = 0;
  #written = 0;

  /**
   * @param file Awaited at the first write.
   * @param start Offset of the first byte in the file.
   * @param tap Receives all bytes in order, for hashes.
   */
  constructor(
    file: Promise<FileHandle>,
    start: number,
    signal: AbortSignal,
    tap: (bytes: Uint8Array) => void = () => {},
  ) {
    this.#file = file;
    this.#start = start;
    this.#tap = tap;
    this.#signal = signal;
  }

  /** Adds bytes. They are copied, so the caller can reuse its buffer. */
  async write(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    let from = 0;
    while (from < bytes.length) {
      const taken = Math.min(bytes.length - from, BUFFER - this.#held);
      this.#buffer.set(bytes.subarray(from, from + taken), this.#held);
      this.#held += taken;
      from += taken;
      if (this.#held === BUFFER) await this.#flush();
    }
  }

  /** Writes the buffered bytes. */
  async finish(): Promise<void> {
    await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#signal.throwIfAborted();
    const held = this.#buffer.subarray(0, this.#held);
    const file = await this.#file;
    // The hash is computed while another thread writes.
    const writing = this.#writeAll(file, held);
    this.#tap(held);
    await writing;
    this.#held = 0;
  }

  async #writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(
        bytes,
        from,
        bytes.length - from,
        this.#start + this.#written,
      );
      from += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}
