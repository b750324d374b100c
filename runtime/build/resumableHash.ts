/**
 * A sha256 that can be put down and taken up again: the hash of an artifact goes on from that of its kept part, which
 * need not be read. Node's own hash cannot do that, but is five times as fast: a part is hashed by it up to its end,
 * where `sha256Padding` has this one go on.
 */
import { createSHA256, type IHasher } from 'hash-wasm';

/** Where a state has the number of bytes hashed, and after it the eight words: behind the library's mark and one block. */
const STATE = { bytes: 4 + 64, words: 4 + 64 + 8 };

/** What sha256 puts behind a message of so many bytes before it hashes the last block (FIPS 180-4, 5.1.1). */
export function sha256Padding(bytes: number): Buffer {
  const padding = Buffer.alloc(64 - ((bytes + 8) % 64) + 8);
  padding[0] = 0x80;
  padding.writeBigUInt64BE(BigInt(bytes) * 8n, padding.length - 8);
  return padding;
}

/** A sha256 under way. */
export class ResumableHash {
  readonly #hasher: IHasher;

  private constructor(hasher: IHasher) {
    this.#hasher = hasher;
  }

  /** A hash of nothing yet. */
  static async start(): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).init());
  }

  /**
   * A hash that goes on from where `save` was called.
   *
   * @throws When the state is none, or one of another version of the library.
   */
  static async resume(state: string): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).load(Buffer.from(state, 'base64')));
  }

  /**
   * A hash of a message and its `sha256Padding`: the message's digest is the state behind them (FIPS 180-4, 6.2.2).
   *
   * @param bytes - The message's length.
   */
  static async behindPadding(digest: Buffer, bytes: number): Promise<ResumableHash> {
    const hasher = (await createSHA256()).init();
    const state = Buffer.from(hasher.save());
    state.writeBigUInt64LE(BigInt(bytes + sha256Padding(bytes).length), STATE.bytes);
    state.set(Buffer.from(digest).swap32(), STATE.words);
    return new ResumableHash(hasher.load(state));
  }

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  /** The state, for `resume`. */
  save(): string {
    return Buffer.from(this.#hasher.save()).toString('base64');
  }

  /** Hex sha256; the hash is over after it. */
  digest(): string {
    return this.#hasher.digest('hex');
  }
}
