/** Reads a request's body as JSON and checks it while it arrives. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/readBody.ts';
import { type JsonText, LONG_TEXT } from './jsonText.ts';
import { type JsonPart, JsonScanner, type Shape } from './scanner.ts';

const OPEN_OBJECT = 0x7b;

/**
 * Reads a body. Invalid JSON is not an error here: the parts are marked as broken.
 *
 * @param limit - Bytes.
 * @param hashes - Whether to compute a hash.
 * @throws ToolkitError PAYLOAD_TOO_LARGE; BAD_REQUEST if the client disconnects before the end.
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  shape: Shape,
  hashes = false,
): Promise<JsonBody> {
  const scanner = new JsonScanner(shape);
  const hash = hashes ? createHash('sha256') : null;
  const bytes = await readBody(request, limit, (piece) => {
    scanner.push(piece);
    hash?.update(piece);
  });
  return new JsonBody(bytes, scanner.end(), hash?.digest('hex') ?? null);
}

export class JsonBody {
  readonly root: JsonPart;
  /** Hex sha256 of the bytes; null if it was not requested. */
  readonly hash: string | null;
  readonly #bytes: Buffer<ArrayBuffer>;
  #isUtf8: boolean | null = null;

  constructor(bytes: Buffer<ArrayBuffer>, root: JsonPart, hash: string | null) {
    this.#bytes = bytes;
    this.root = root;
    this.hash = hash;
  }

  get isUtf8(): boolean {
    return (this.#isUtf8 ??= isUtf8(this.#bytes));
  }

  isObject({ start, broken }: JsonPart): boolean {
    return !broken && this.#bytes[start] === OPEN_OBJECT;
  }

  /** The text as it was sent. Bytes that are not UTF-8 become replacement characters. */
  text({ start, end }: JsonPart): JsonText {
    const size = end - start;
    if (size < LONG_TEXT) return this.#bytes.toString('utf8', start, end);
    if (!this.isUtf8) return Buffer.from(this.#bytes.toString('utf8', start, end));
    const bytes = this.#bytes.subarray(start, end);
    // A text that moves to another thread takes the memory of its whole body with it. Only one text can do
    // that.
    return size > this.#bytes.length / 2 ? bytes : new Uint8Array(bytes);
  }

  /** Parses a short value. */
  value({ start, end }: JsonPart): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, end));
  }

  /** Parses a value; an empty string if it is longer than `longest`. */
  setting(part: JsonPart, longest: number): unknown {
    return part.end - part.start > longest ? '' : this.value(part);
  }
}
