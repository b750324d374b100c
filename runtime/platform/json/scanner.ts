/**
 * Scans JSON bytes as they arrive, piece by piece. Checks all of it, and records the positions of the values
 * that a shape names. Accepts exactly what `JSON.parse` accepts, but builds no values. So a large body delays
 * other requests by at most one piece, and needs no memory besides its own.
 */
import { ACTIONS, FIRST, FIRST_ACTION, STATES, TABLES } from './grammar.ts';

/**
 * What is recorded of a value: some members of an object, the first items of a list, or only its position.
 */
export interface Shape {
  members?: ReadonlyMap<string, Shape>;
  items?: Shape;
  /** Most items that are recorded. */
  most?: number;
  /**
   * An invalid item does not fail the others: the scan continues after it, as well as quotes and brackets
   * allow.
   */
  apart?: boolean;
}

/** The position of a recorded value in the bytes. */
export interface JsonPart {
  start: number;
  end: number;
  /** Members of an object, by name. If a name is repeated, the last one counts. */
  members: Map<string, JsonPart> | null;
  /** Items of a list. */
  items: JsonPart[] | null;
  /** It is not valid JSON. */
  broken: boolean;
}

/** A container whose values are recorded. */
interface Frame {
  part: JsonPart;
  shape: Shape;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
/**
 * Longest name with its quotes, in bytes. Each character may be an escape. No shape contains a longer name.
 */
const LONGEST_NAME = 256;

export class JsonScanner {
  readonly #frames: Frame[] = [];
  #root: JsonPart = newPart(0);
  /** The current value in the innermost frame; null if it is not recorded. */
  #part: JsonPart | null = null;
  #shape: Shape;
  #state: number = STATES.value;
  #table = TABLES.whole;
  /** How many containers are open, including those without a frame. */
  #level = 0;
  /** For each open container, whether it is an object. */
  #isObject = new Uint8Array(64);
  #nameStart = -1;
  /** The part of the current name in earlier pieces; after its end, the complete name. */
  #name = '';
  /** The level of items that can fail independently, and the current item. */
  #apart = Number.POSITIVE_INFINITY;
  #item: JsonPart | null = null;
  /** Bytes of earlier pieces. */
  #offset = 0;
  #isBroken = false;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  push(bytes: Buffer): void {
    let state = this.#state;
    let table = this.#table;
    for (let at = 0; at < bytes.length && !this.#isBroken; at += 1) {
      if (state === STATES.string) at = afterPlain(bytes, at);
      if (at === bytes.length) break;
      const next = table[(state << 8) | bytes[at]!]!;
      if (next < FIRST_ACTION) {
        state = next;
        continue;
      }
      this.#state = state;
      if (this.#act(next, bytes, at)) at -= 1;
      state = this.#state;
      table = this.#table;
    }
    this.#state = state;
    if (this.#nameStart >= 0) this.#readName(bytes, bytes.length);
    this.#offset += bytes.length;
  }

  /** Returns the root after the last byte. */
  end(): JsonPart {
    if (this.#table[(this.#state << 8) | 0x20] === ACTIONS.endNumber) this.#endValue(this.#offset);
    this.#root.broken ||= this.#isBroken || this.#level > 0 || this.#state !== STATES.after;
    return this.#root;
  }

  /** Carries out the action of a byte. True if the new state must read the byte again. */
  #act(action: number, bytes: Buffer, at: number): boolean {
    const byte = bytes[at]!;
    const position = this.#offset + at;
    switch (action) {
      case ACTIONS.beginScalar:
        this.#beginValue(position);
        this.#state = FIRST[byte]!;
        return false;
      case ACTIONS.beginString:
        this.#beginValue(position);
        this.#state = STATES.string;
        return false;
      case ACTIONS.beginName:
        this.#name = '';
        this.#nameStart = at;
        this.#state = STATES.nameString;
        return false;
      case ACTIONS.endName:
        this.#readName(bytes, at + 1);
        this.#nameStart = -1;
        this.#state = STATES.colon;
        return false;
      case ACTIONS.end:
        return this.#endValue(position + 1);
      case ACTIONS.endNumber:
        this.#endValue(position);
        return true;
      case ACTIONS.open:
        this.#beginValue(position);
        this.#state = byte === OPEN_OBJECT ? STATES.nameOrEnd : STATES.valueOrEnd;
        return this.#enter(byte === OPEN_OBJECT);
      case ACTIONS.close:
        this.#leave();
        return this.#endValue(position + 1);
      case ACTIONS.skipOpen:
        return this.#open(byte === OPEN_OBJECT);
      case ACTIONS.skipClose:
      case ACTIONS.skipComma:
        return this.#skip(action, position);
      default:
        return this.#fail(byte, position);
    }
  }

  #readName(bytes: Buffer, end: number): void {
    const most = LONGEST_NAME - this.#name.length;
    this.#name += bytes.toString('latin1', this.#nameStart, Math.min(end, this.#nameStart + most));
    this.#nameStart = 0;
  }

  /** Only in a frame, or for the root. */
  #beginValue(position: number): void {
    if (this.#level !== this.#frames.length) return;
    if (this.#level === 0) {
      this.#part = this.#root = newPart(position);
      return;
    }
    const { part, shape } = this.#frames[this.#level - 1]!;
    const name = shape.members ? plainName(this.#name) : '';
    const own = shape.members ? shape.members.get(name) : shape.items;
    const isNoted = own && !(part.items && part.items.length >= (shape.most ?? Number.POSITIVE_INFINITY));
    this.#part = isNoted ? newPart(position) : null;
    if (this.#level === this.#apart) this.#item = this.#part;
    if (!isNoted) return;
    this.#shape = own;
    if (shape.members) (part.members ??= new Map()).set(name, this.#part!);
    else (part.items ??= []).push(this.#part!);
  }

  #endValue(position: number): false {
    if (this.#level === this.#frames.length && this.#part) this.#part.end = position;
    this.#state = STATES.after;
    return false;
  }

  #enter(isObject: boolean): false {
    const part = this.#part;
    const shape = this.#shape;
    const isNoted = isObject ? shape.members : shape.items;
    if (this.#level === this.#frames.length && part && isNoted) {
      this.#frames.push({ part, shape });
      if (shape.apart) this.#apart = this.#frames.length;
    }
    this.#open(isObject);
    this.#chooseTable();
    return false;
  }

  #open(isObject: boolean): false {
    if (this.#level === this.#isObject.length) {
      const longer = new Uint8Array(this.#level * 2);
      longer.set(this.#isObject);
      this.#isObject = longer;
    }
    this.#isObject[this.#level] = isObject ? 1 : 0;
    this.#level += 1;
    return false;
  }

  #leave(): void {
    this.#level -= 1;
    if (this.#frames.length > this.#level) {
      const { part, shape } = this.#frames.pop()!;
      this.#part = part;
      if (shape.apart) this.#apart = Number.POSITIVE_INFINITY;
    }
    this.#chooseTable();
  }

  #chooseTable(): void {
    const tables = this.#isObject[this.#level - 1] === 1 ? TABLES.object : TABLES.list;
    const inContainer = this.#level === this.#frames.length ? tables.noted : tables.unnoted;
    this.#table = this.#level === 0 ? TABLES.whole : inContainer;
  }

  /** Marks the invalid item and skips it, or ends the scan. */
  #fail(byte: number, position: number): boolean {
    const state = this.#state;
    const isInList = this.#level === this.#apart;
    const isBracket = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
    if (this.#level < this.#apart || (isInList && state === STATES.after && isBracket)) {
      this.#isBroken = true;
      return false;
    }
    if (isInList && (state === STATES.value || state === STATES.valueOrEnd)) this.#beginValue(position);
    if (this.#item) this.#item.broken = true;
    this.#nameStart = -1;
    const isInString = state >= STATES.string && state <= STATES.nameHex4;
    this.#state = isInString ? STATES.skipString : STATES.skip;
    return true;
  }

  /** A comma or a closing bracket after an error. The item ends with it, ends before it, or continues. */
  #skip(action: number, position: number): boolean {
    const isBefore = this.#level === this.#apart;
    if (!isBefore && action === ACTIONS.skipComma) return false;
    if (!isBefore) this.#level -= 1;
    if (this.#level > this.#apart) return false;
    this.#frames.length = this.#apart;
    this.#part = this.#item;
    this.#chooseTable();
    this.#endValue(isBefore ? position : position + 1);
    return isBefore;
  }
}

/** The position of the next byte of a string that is not plain. Most bytes of large bodies are in strings. */
function afterPlain(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH && bytes[at]! >= FIRST_PRINTABLE)
    at += 1;
  return at;
}

function newPart(start: number): JsonPart {
  return { start, end: start, members: null, items: null, broken: false };
}

/** The name without its quotes and escapes. */
function plainName(written: string): string {
  return written.includes('\\') ? unescaped(written) : written.slice(1, -1);
}

function unescaped(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    // It was cut off, because it is longer than any name in a shape.
    return '';
  }
}
