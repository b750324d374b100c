/**
 * A text and a position → the unfinished code there: the string, the word, the call and its arguments, the enclosing
 * functions. Uses only tokens, so that it works in unfinished code, where a syntax tree is wrong.
 */
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { lineEndsIn } from '../../runtime/source/syntax/lineEnds.ts';
import { type Block, type OpenBracket, pathBefore, Structure } from './structure.ts';
import { lineStart, offsetAt } from './textPlaces.ts';
import { type StringToken, type Token, tokensOf } from './tokens.ts';

export interface Cursor {
  text: string;
  offset: number;
  position: Position;
  /** The string literal that the cursor is in. */
  string: StringToken | null;
  comment: Token | null;
  /** The word that the cursor is in or at the end of; empty between words. */
  word: { start: number; end: number };
  /** The dotted names before the word. */
  owner: string[];
  /** From the outermost to the innermost. */
  brackets: OpenBracket[];
  blocks: Block[];
  /** Tokens of the logical line before the word. */
  line: Token[];
}

/** Statements without indentation that end any unfinished statement before them. */
const ANCHOR = /@|(?:async[ \t]+)?def\b|class\b|import\b|from\b/y;

/** In characters. Longer statements are not read. */
const MAX_STATEMENT = 100_000;

/** Reads the code around a position. */
export function cursorAt(text: string, position: Position): Cursor {
  const offset = offsetAt(text, position);
  const tokens = tokensOf(text, anchorBefore(text, offset), offset);
  const last = tokens.at(-1);
  const string = stringAt(last, offset);
  const comment = last?.kind === 'comment' ? last : null;
  const within = string ?? comment;
  const word = within ? { start: offset, end: offset } : wordAt(text, offset, last);
  const isInLast = within || (last && last.start >= word.start && word.start < offset);
  const structure = new Structure(text);
  for (const token of isInLast ? tokens.slice(0, -1) : tokens) structure.take(token);
  structure.arrive(within?.start ?? word.start);
  const { brackets, blocks, line } = structure;
  const owner = !within && line.at(-1)?.text === '.' ? pathBefore(line.slice(0, -1)) : [];
  return { text, offset, position, string, comment, word, owner, brackets, blocks, line };
}

/** The line of an index before the cursor. Does not read the text before the index. */
export function lineOf({ text, offset, position }: Cursor, index: number): number {
  return position.line - lineEndsIn(text.slice(index, offset));
}

/** The token, if it is a string that contains the index. */
export function stringAt(last: Token | undefined, offset: number): StringToken | null {
  if (last?.kind !== 'string' || offset < last.contentStart) return null;
  return !last.closed || offset <= last.contentEnd ? last : null;
}

/**
 * The last unindented statement before the cursor that is not inside a string, else the start of the file. If the
 * statement is too long, the cursor itself, so that nothing is read.
 */
function anchorBefore(text: string, offset: number): number {
  const quotesIn = (from: number, to: number) =>
    ['"""', "'''"].map((quote) => text.slice(from, to).split(quote).length - 1);
  let before = quotesIn(0, offset);
  let end = offset;
  let start = lineStart(text, offset);
  for (; start > 0 && offset - start <= MAX_STATEMENT; start = lineStart(text, start - 1)) {
    ANCHOR.lastIndex = start;
    if (start === offset || !ANCHOR.test(text)) continue;
    const passed = quotesIn(start, end);
    before = before.map((count, at) => count - passed[at]!);
    end = start;
    if (before.every((count) => count % 2 === 0)) break;
  }
  return offset - start <= MAX_STATEMENT ? start : offset;
}

function wordAt(text: string, offset: number, last: Token | undefined): Cursor['word'] {
  if (last?.kind === 'name' && last.end >= offset) return { start: last.start, end: last.end };
  const [next] = tokensOf(text, offset, offset + 1);
  return { start: offset, end: next?.kind === 'name' && next.start === offset ? next.end : offset };
}
