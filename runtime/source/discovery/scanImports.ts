/**
 * Bytes → the import statements in them, without parsing the file. Also finds imports in comments and
 * strings.
 */
import { isNameByte } from './prefilter.ts';

const WORD = Buffer.from('import');
/**
 * `import` without its first byte: a search tries each position of the first byte, and few bytes are as
 * frequent as `i`.
 */
const REST = WORD.subarray(1);
/** A byte order mark. */
const MARK = Buffer.from('\ufeff');
const [NEW_LINE, RETURN, BACKSLASH, HASH] = [0x0a, 0x0d, 0x5c, 0x23];
const [OPEN, CLOSE, DOT, COMMA, STAR] = [0x28, 0x29, 0x2e, 0x2c, 0x2a];
/** What can come before a statement: a new line, another statement, or a header such as `try:`. */
const BEFORE_STATEMENT: ReadonlySet<number | undefined> = new Set([undefined, NEW_LINE, RETURN, 0x3a, 0x3b]);
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0c]);

/** The source text of one import statement, in parts. */
interface WrittenImport {
  /** Dots and name after `from`; null for `import module`. */
  from: string | null;
  /** Names, including dotted ones, or `*`; without the aliases after `as`. */
  items: Iterable<string>;
}

/** The import statements of a file, in order. Read `items` before asking for the next statement. */
export function* scanImports(content: Buffer): Generator<WrittenImport> {
  const bytes =
    content[0] === MARK[0] && content.indexOf(MARK) === 0 ? content.subarray(MARK.length) : content;
  for (let at = bytes.indexOf(REST); at !== -1; at = bytes.indexOf(REST, at + REST.length)) {
    const list = at + REST.length;
    if (bytes[at - 1] !== WORD[0] || isNameByte(bytes[at - 2]) || isNameByte(bytes[list])) continue;
    const before = beforeBlanks(bytes, at - 1);
    const from = BEFORE_STATEMENT.has(bytes[before - 1]) ? null : moduleBefore(bytes, before);
    if (from !== undefined) yield { from, items: listAt(bytes, list) };
  }
}

/** The start of the whitespace before an index. */
function beforeBlanks(bytes: Buffer, index: number): number {
  let at = index;
  while (BLANKS.has(bytes[at - 1]) || isJoint(bytes, at - 1)) at -= 1;
  return at;
}

/** Whether a byte belongs to a backslash and line end that join two lines. */
function isJoint(bytes: Buffer, at: number): boolean {
  if (bytes[at] === NEW_LINE) return bytes[bytes[at - 1] === RETURN ? at - 2 : at - 1] === BACKSLASH;
  if (bytes[at] === RETURN) return bytes[at - 1] === BACKSLASH;
  return bytes[at] === BACKSLASH && (bytes[at + 1] === NEW_LINE || bytes[at + 1] === RETURN);
}

/** The module between a `from` and an index; undefined when there is none. */
function moduleBefore(bytes: Buffer, index: number): string | undefined {
  let module = '';
  let isName = false;
  for (let end = index; ; ) {
    let start = end;
    if (bytes[start - 1] === DOT) start -= 1;
    else while (isNameByte(bytes[start - 1])) start -= 1;
    const part = bytes.toString('utf8', start, end);
    if (part === 'from') return module === '' ? undefined : module;
    // Two words in a row mean that this is prose.
    if (part === '' || (isName && part !== '.')) return undefined;
    module = part + module;
    isName = part !== '.';
    end = beforeBlanks(bytes, start);
  }
}

/** The items of an import's list, without aliases. */
function* listAt(bytes: Buffer, index: number): Generator<string> {
  let isOpen = false;
  let item = '';
  let isGiven = false;
  for (let at = index; at < bytes.length; ) {
    const byte = bytes[at]!;
    if (isNameByte(byte)) {
      let end = at + 1;
      while (isNameByte(bytes[end])) end += 1;
      const name = bytes.toString('utf8', at, end);
      // The previous statement was not finished.
      if (name === 'import') break;
      if (name === 'as') isGiven = true;
      else if (!isGiven) item += name;
      at = end;
      continue;
    }
    if (byte === COMMA) {
      if (item !== '') yield item;
      item = '';
      isGiven = false;
    } else if (byte === DOT) item += '.';
    else if (byte === STAR) item += '*';
    else if (byte === OPEN && !isOpen) isOpen = true;
    else if (byte === HASH && isOpen) {
      while (at < bytes.length && bytes[at] !== NEW_LINE && bytes[at] !== RETURN) at += 1;
      continue;
    } else if (
      !BLANKS.has(byte) &&
      !isJoint(bytes, at) &&
      !(isOpen && (byte === NEW_LINE || byte === RETURN))
    )
      break;
    at += 1;
    if (byte === CLOSE) break;
  }
  if (item !== '') yield item;
}
