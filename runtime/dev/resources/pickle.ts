/**
 * Plain data ↔ Python's pickle format, protocol 2. A pickle is a program, so this module reads only the opcodes that it
 * writes (dicts, lists, strings, numbers): no file can make it call or import anything.
 */

/** Values that can be written and read. */
export type Plain = string | number | Plain[] | { [key: string]: Plain };

/** Opcodes, as in Python's `pickletools`. */
const PROTO = 0x80;
const [MARK, STOP, EMPTY_DICT, SETITEMS, EMPTY_LIST, APPENDS, BINUNICODE, BININT, BINFLOAT] = Buffer.from(
  '(.}u]eXJG',
) as unknown as [number, number, number, number, number, number, number, number, number];
const VERSION = 2;

const LONGEST_BYTES = 10_000_000;
const DEEPEST = 20;

/** The bytes were not written by this module. */
export class PickleError extends Error {}

/** Python's `pickle.loads` returns the same value. */
export function encodePickle(value: Plain): Buffer {
  return Buffer.concat([Buffer.of(PROTO, VERSION), ...encode(value), Buffer.of(STOP)]);
}

function encode(value: Plain): Buffer[] {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    const head = Buffer.alloc(5);
    head[0] = BINUNICODE;
    head.writeUInt32LE(bytes.length, 1);
    return [head, bytes];
  }
  if (typeof value === 'number') return [encodeNumber(value)];
  if (Array.isArray(value))
    return [Buffer.of(EMPTY_LIST, MARK), ...value.flatMap(encode), Buffer.of(APPENDS)];
  const items = Object.entries(value).flatMap(([key, item]) => [...encode(key), ...encode(item)]);
  return [Buffer.of(EMPTY_DICT, MARK), ...items, Buffer.of(SETITEMS)];
}

function encodeNumber(value: number): Buffer {
  const isInt32 = (value | 0) === value && !Object.is(value, -0);
  const bytes = Buffer.alloc(isInt32 ? 5 : 9);
  bytes[0] = isInt32 ? BININT : BINFLOAT;
  if (isInt32) bytes.writeInt32LE(value, 1);
  else bytes.writeDoubleBE(value, 1);
  return bytes;
}

/** @throws PickleError for anything that `encodePickle` did not write. */
export function decodePickle(bytes: Buffer): Plain {
  if (bytes.length > LONGEST_BYTES) throw new PickleError('it is too long');
  const reader = new Reader(bytes);
  if (reader.byte() !== PROTO || reader.byte() !== VERSION)
    throw new PickleError('it uses another protocol version');
  const value = reader.value(0);
  if (reader.byte() !== STOP || !reader.isAtEnd) throw new PickleError('it has data after its value');
  return value;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.#take(1)[0]!;
  }

  value(depth: number): Plain {
    if (depth > DEEPEST) throw new PickleError('it is nested too deeply');
    const opcode = this.byte();
    switch (opcode) {
      case BINUNICODE:
        return this.#text();
      case BININT:
        return this.#take(4).readInt32LE();
      case BINFLOAT:
        return this.#take(8).readDoubleBE();
      case EMPTY_LIST:
        return this.#items(APPENDS, () => this.value(depth + 1));
      case EMPTY_DICT:
        return Object.fromEntries(
          this.#items(SETITEMS, (): [string, Plain] => [this.#key(), this.value(depth + 1)]),
        );
      default:
        throw new PickleError(
          `it has the unexpected opcode 0x${opcode.toString(16)} at byte ${this.#at - 1}`,
        );
    }
  }

  #items<Item>(end: number, read: () => Item): Item[] {
    if (this.byte() !== MARK) throw new PickleError(`a mark is missing at byte ${this.#at - 1}`);
    const items: Item[] = [];
    while (this.#bytes[this.#at] !== end) items.push(read());
    this.#at += 1;
    return items;
  }

  #key(): string {
    if (this.byte() !== BINUNICODE) throw new PickleError(`the key at byte ${this.#at - 1} is not a string`);
    return this.#text();
  }

  #text(): string {
    const bytes = this.#take(this.#take(4).readUInt32LE());
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw new PickleError('a string is not UTF-8', { cause });
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new PickleError('it is truncated');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
