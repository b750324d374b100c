/** A request's body as JSON, checked while it comes in. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/readBody.ts';
import { type JsonText, LONG_TEXT } from './jsonText.ts';
import { type JsonPart, JsonScanner, type Shape } from './scanner.ts';

const OPEN_OBJECT = 0x7b;

/**
 * Reads a body, whatever is in it.
 *
 * @param limit - Bytes.
 * @param hashes - Whether its hash is asked for.
 * @throws ToolkitError PAYLOAD_TOO_LARGE, BAD_REQUEST when the client goes away before the end.
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
  /** Hex sha256 of the bytes; null when it was not asked for. */
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

  /** As it was sent; bytes that are not UTF-8 become replacement characters. */
  text({ start, end }: JsonPart): JsonText {
    const size = end - start;
    if (size < LONG_TEXT) return this.#bytes.toString('utf8', start, end);
    if (!this.isUtf8) return Buffer.from(this.#bytes.toString('utf8', start, end));
    const bytes = this.#bytes.subarray(start, end);
    // A text that moves to another thread takes the memory of its body along, which only one text can.
    return size > this.#bytes.length / 2 ? bytes : new Uint8Array(bytes);
  }

  /** Parsed: for what is short. */
  value({ start, end }: JsonPart): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, end));
  }

  /** Parsed; one that is longer than it may be is an empty text. */
  setting(part: JsonPart, longest: number): unknown {
    return part.end - part.start > longest ? '' : this.value(part);
  }
}
