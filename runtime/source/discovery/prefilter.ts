/**
 * Bytes → whether a file is worth parsing. Stage 1: it contains `toolkit_sdk` or the word `Endpoint`. Stage 2: it has a
 * decorator like `@name.verb(`, or `@name` with the name of an instance, and is parsed only when the project has one.
 */
import { SDK_MODULE } from '../../contract/names.ts';

const SDK = Buffer.from(SDK_MODULE);
const ENDPOINT = Buffer.from('Endpoint');
/** The index in each word of the byte that is rarest in source code: searching for a byte is faster than for a text. */
const RARE_IN_SDK = SDK_MODULE.indexOf('k');
const RARE_IN_ENDPOINT = 0;
const AT = 0x40;
/** `@mock.patch(` is common in test suites and never a route. The name and the verb may be in parentheses. */
const ROUTE = /^@[ \t(]*(?!(?:unittest\.)?mock\.patch)[^\s()@]+\)?\.(?:get|post|put|patch|delete)[ \t)]*\(/;
/** A decorator without arguments that is not one of Python's own. Letters outside ASCII are bytes here. */
const BARE =
  /^@[ \t]*(?!(?:property|staticmethod|classmethod)\b)((?:[\w\x80-\xff]+\.)*)([\w\x80-\xff]+)[ \t]*(?:[#\r\n]|$)/;
const LAST_WORD = /[\w\x80-\xff]+$/;
/** Longest decorator that is looked at, in bytes. */
const WINDOW = 200;

/** Stage 1. */
export function mentionsEndpoint(bytes: Buffer): boolean {
  // Latin letters in UTF-16 contain a NUL each, which no valid Python file has: such a file is reported, not skipped.
  const said = bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
  return (
    includes(said, SDK, RARE_IN_SDK) ||
    (includes(said, ENDPOINT, RARE_IN_ENDPOINT) && mentionsWord(said, ENDPOINT))
  );
}

/** Whether the bytes contain a text; searches for its byte at index `rare`. */
function includes(bytes: Buffer, text: Buffer, rare: number): boolean {
  const byte = text[rare]!;
  for (let at = bytes.indexOf(byte, rare); at !== -1; at = bytes.indexOf(byte, at + 1)) {
    let same = 0;
    while (same < text.length && bytes[at - rare + same] === text[same]) same += 1;
    if (same === text.length) return true;
  }
  return false;
}

/** The decorators that stage 2 looks at. */
export interface Decorators {
  /** Whether there is a route decorator, of any name. */
  routes: boolean;
  /** Names that decorators without arguments may refer to: the last one of each, and what it was imported as. */
  bare: readonly string[];
}

/** Stage 2. */
export function decoratorsIn(bytes: Buffer): Decorators {
  const bare = new Set<string>();
  const mayBeAliases = new Set<string>();
  let routes = false;
  for (let at = bytes.indexOf(AT); at !== -1; at = bytes.indexOf(AT, at + 1)) {
    if (!startsLine(bytes, at)) continue;
    const written = bytes.toString('latin1', at, at + WINDOW);
    const [, module, name] = BARE.exec(written) ?? [];
    if (name === undefined) routes ||= ROUTE.test(written);
    else bare.add(name);
    if (name !== undefined && module === '') mayBeAliases.add(name);
  }
  for (const alias of mayBeAliases) {
    const as = Buffer.from(` as ${alias}`, 'latin1');
    for (let at = bytes.indexOf(as); at !== -1; at = bytes.indexOf(as, at + as.length)) {
      const name = LAST_WORD.exec(bytes.toString('latin1', Math.max(0, at - WINDOW), at))?.[0];
      if (name !== undefined) bare.add(name);
    }
  }
  return { routes, bare: [...bare].map((name) => Buffer.from(name, 'latin1').toString()) };
}

/** Whether the bytes contain a name as a whole word. */
export function mentionsWord(bytes: Buffer, word: Buffer): boolean {
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) {
    if (!isNameByte(bytes[at - 1]) && !isNameByte(bytes[at + word.length])) return true;
  }
  return false;
}

/** Whether only blanks are between the start of the line and the index. */
function startsLine(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === 0x20 || bytes[before] === 0x09) before -= 1;
  return before < 0 || bytes[before] === 0x0a || bytes[before] === 0x0d || bytes[before] === 0xbf;
}

/** Whether a byte is part of a name: an ASCII letter, a digit, `_`, or a byte of a non-ASCII character. */
function isNameByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte >= 0x80;
}
