/** Messages on a stream: four bytes with the length of the message, big-endian, then JSON. */
import { LARGEST_FRAME } from '../../contract/agentProtocol.ts';

const HEAD_BYTES = 4;

/** @throws RangeError if the message exceeds the size of a frame. */
export function encodeFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > LARGEST_FRAME) throw new RangeError(`A message of ${body.length} bytes is too large.`);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Splits the chunks of a stream into the bodies of its frames. */
export class FrameReader {
  /** Largest frame, in bytes. */
  largest = LARGEST_FRAME;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Length of the frame that is being read; null until its head has arrived. */
  #length: number | null = null;

  /**
   * Yields the frames that are complete.
   *
   * @throws RangeError if a frame is too large. None of it is buffered.
   */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      if (this.#length === null) {
        if (this.#held < HEAD_BYTES) return;
        this.#length = this.#take(HEAD_BYTES).readUInt32BE();
        if (this.#length > this.largest) {
          throw new RangeError(`A frame of ${this.#length} bytes is too large.`);
        }
      }
      if (this.#held < this.#length) return;
      const body = this.#take(this.#length);
      this.#length = null;
      yield body;
    }
  }

  #take(size: number): Buffer {
    const held = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [held.subarray(size)];
    this.#held -= size;
    return held.subarray(0, size);
  }
}
