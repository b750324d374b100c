/** Bytes → the words by which their import statements may lead to modules of the project, without parsing the file. */
import { posix } from 'node:path';
import { importTarget } from '../binder/readImport.ts';
import { isStandardLibrary } from '../binder/standardLibrary.ts';
import { isNameByte } from './prefilter.ts';

const WORD = Buffer.from('import');
/** Searching for a text tries each place where its first byte is, and few bytes are as frequent as the first one here. */
const REST = WORD.subarray(1);
const FROM = Buffer.from('from');
const [NEW_LINE, BACKSLASH, DOT, CLOSE] = [0x0a, 0x5c, 0x2e, 0x29];
/** What may stand before a statement: a new line, the end of another statement, or that of a header such as `try:`. */
const BEFORE_STATEMENT: ReadonlySet<number | undefined> = new Set([undefined, NEW_LINE, 0x0d, 0x3a, 0x3b]);
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0c, BACKSLASH]);
const NOT_NAMES = /#.*|\bas\b\s*[\w\u0080-\uffff]+/g;
const NAMES = /^\*|[\w\u0080-\uffff]+/g;

/**
 * The words: the parts of each module that is bound; the last part of each of which everything is taken; `from` and the
 * last part of each that names are taken from; and these names, which may be modules themselves. Some are there twice.
 *
 * @param file - Path of the file, at which relative imports start.
 * @param hidden - Names of standard modules that modules of the project hide; the others are not the project's.
 */
export function importedWords(bytes: Buffer, file: string, hidden: ReadonlySet<string>): string[] {
  const words: string[] = [];
  for (let at = bytes.indexOf(REST); at !== -1; at = bytes.indexOf(REST, at + REST.length)) {
    const list = at + REST.length;
    if (bytes[at - 1] !== WORD[0] || isNameByte(bytes[at - 2]) || isNameByte(bytes[list])) continue;
    const before = beforeBlanks(bytes, at - 1);
    if (BEFORE_STATEMENT.has(bytes[before - 1])) {
      for (const module of listAt(bytes, list).replace(NOT_NAMES, '').split(','))
        if (!isOutside(module.trim(), hidden)) words.push(...(module.match(NAMES) ?? []));
      continue;
    }
    const start = startOfModule(bytes, before);
    if (start === null) continue;
    const { folder, module } = importTarget(bytes.toString('utf8', start, before), file);
    if (folder === undefined || (folder === null && isOutside(module, hidden))) continue;
    const last = module === '' ? posix.basename(folder ?? '') : module.slice(module.lastIndexOf('.') + 1);
    const names = listAt(bytes, list).replace(NOT_NAMES, '').match(NAMES) ?? [];
    if (names[0] === '*') words.push(last);
    else words.push(takenFrom(last), ...names);
  }
  return words;
}

/** Whether a file that says these words in its imports may take something from a module of the project. */
export function mayTakeFrom(words: readonly string[], module: string): boolean {
  const [own = '', ...around] = wordsOf(module);
  return [own, takenFrom(own), ...around].some((word) => words.includes(word));
}

/** A module's own name, and those of the packages around it, from the inside out. */
export function wordsOf(file: string): string[] {
  const parts = file.replace(/\.py$/, '').split('/');
  if (parts.at(-1) === '__init__') parts.pop();
  return parts.toReversed();
}

function takenFrom(module: string): string {
  return `from ${module}`;
}

function isOutside(module: string, hidden: ReadonlySet<string>): boolean {
  return isStandardLibrary(module) && !hidden.has(module.split('.', 1)[0]!);
}

/** The index after the last byte before an index that is no blank. */
function beforeBlanks(bytes: Buffer, index: number): number {
  let at = index;
  while (BLANKS.has(bytes[at - 1]) || (bytes[at - 1] === NEW_LINE && isContinued(bytes, at - 1))) at -= 1;
  return at;
}

/** The start of the dotted name that ends before an index, null where no `from` is before it. */
function startOfModule(bytes: Buffer, end: number): number | null {
  let start = end;
  while (bytes[start - 1] === DOT || isNameByte(bytes[start - 1])) start -= 1;
  const from = beforeBlanks(bytes, start) - FROM.length;
  return from >= 0 && FROM.equals(bytes.subarray(from, from + FROM.length)) ? start : null;
}

/** The text to the end of the line, and to the end of a list in parentheses. */
function listAt(bytes: Buffer, index: number): string {
  let end = bytes.indexOf(NEW_LINE, index);
  while (end !== -1 && isContinued(bytes, end)) end = bytes.indexOf(NEW_LINE, end + 1);
  const line = bytes.toString('utf8', index, end === -1 ? bytes.length : end);
  const close = /^[^#(]*\(/.test(line) ? bytes.indexOf(CLOSE, index) : -1;
  return close > end && end !== -1 ? bytes.toString('utf8', index, close) : line;
}

/** Whether a backslash joins two lines. */
function isContinued(bytes: Buffer, newLine: number): boolean {
  return bytes[bytes[newLine - 1] === 0x0d ? newLine - 2 : newLine - 1] === BACKSLASH;
}
