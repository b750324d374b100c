/**
 * A sha256 that can be saved and resumed: the hash of an artifact continues from the state of its cached part, so the part is
 * not read again. Node's hash cannot do that, but is five times as fast. So Node hashes the part, and this one continues from
 * the part's digest, which is the state after the part and its `sha256Padding`.
 */
import { createSHA256, type IHasher } from 'hash-wasm';

/** Offsets in a saved state, which begins with the library's 4-byte tag and one 64-byte block: the byte count and eight words. */
const STATE = { bytes: 4 + 64, words: 4 + 64 + 8 };

/** The padding that sha256 appends to a message of this length before it hashes the last block (FIPS 180-4, 5.1.1). */
export function sha256Padding(bytes: number): Buffer {
  const padding = Buffer.alloc(64 - ((bytes + 8) % 64) + 8);
  padding[0] = 0x80;
  padding.writeBigUInt64BE(BigInt(bytes) * 8n, padding.length - 8);
  return padding;
}

/** A sha256 in progress. */
export class ResumableHash {
  readonly #hasher: IHasher;

  private constructor(hasher: IHasher) {
    this.#hasher = hasher;
  }

  /** A new hash, of no bytes yet. */
  static async start(): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).init());
  }

  /**
   * A hash that continues from a saved state.
   *
   * @throws If the state is not valid, or comes from another version of the library.
   */
  static async resume(state: string): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).load(Buffer.from(state, 'base64')));
  }

  /**
   * A hash of a message followed by its `sha256Padding`: the message's digest is the state after both (FIPS 180-4, 6.2.2).
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

  /** Hex sha256. The hash cannot be used afterwards. */
  digest(): string {
    return this.#hasher.digest('hex');
  }
}
