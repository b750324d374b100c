/** Tracks the frame boundaries in one direction of a WebSocket (RFC 6455, 5.2). */
export class FrameBoundary {
  /** The first bytes of the current frame's header; empty once the header is complete. */
  #header: number[] = [];
  /** Bytes of the current frame's payload that have not passed yet. */
  #left = 0;

  /** Whether only complete frames have passed. */
  get isBetweenFrames(): boolean {
    return this.#left === 0 && this.#header.length === 0;
  }

  pass(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#left -= taken;
        at += taken;
      } else {
        this.#header.push(chunk[at]!);
        at += 1;
        if (this.#header.length >= 2 && this.#header.length === headerLength(this.#header[1]!)) {
          this.#left = payloadLength(this.#header);
          this.#header = [];
        }
      }
    }
  }
}

/**
 * @param second - The header's second byte: the mask bit, and the payload's length or the size of its length
 * field.
 */
function headerLength(second: number): number {
  const mask = second >= 0x80 ? 4 : 0;
  const length = { 126: 2, 127: 8 }[second & 0x7f] ?? 0;
  return 2 + length + mask;
}

function payloadLength(header: readonly number[]): number {
  const length = header[1]! & 0x7f;
  const bytes = { 126: 2, 127: 8 }[length];
  if (bytes === undefined) return length;
  return header.slice(2, 2 + bytes).reduce((sum, byte) => sum * 256 + byte, 0);
}
