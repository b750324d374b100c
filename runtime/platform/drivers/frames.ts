/** Messages on a stream: four bytes with the length of what follows, big-endian, then JSON. */
import { LARGEST_FRAME } from '../../contract/agentProtocol.ts';

const HEAD_BYTES = 4;

/** @throws RangeError for a message that is larger than a frame may be. */
export function encodeFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > LARGEST_FRAME) throw new RangeError(`A message of ${body.length} bytes is too large.`);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Cuts what a stream brings into the bodies of its frames. */
export class FrameReader {
  /** Bytes of a frame, at most. */
  largest = LARGEST_FRAME;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Of the frame that is being read; null before its head is there. */
  #length: number | null = null;

  /**
   * Yields the frames that are whole now.
   *
   * @throws RangeError at a frame that is larger than it may be; nothing is held for it.
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
