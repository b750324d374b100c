/**
 * A text and a place in it → what is being written there: the string, the word, the call and its arguments, the
 * enclosing functions. From tokens alone, so that it holds in unfinished code, where a syntax tree is wrong.
 */
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { type Block, type OpenBracket, pathBefore, Structure } from './structure.ts';
import { lineStart, offsetAt } from './textPlaces.ts';
import { isString, type StringToken, type Token, tokensOf } from './tokens.ts';

export interface Cursor {
  text: string;
  offset: number;
  position: Position;
  /** The string literal that the cursor stands in. */
  string: StringToken | null;
  comment: Token | null;
  /** The word that the cursor stands in or at the end of; empty between words. */
  word: { start: number; end: number };
  /** The names before the word, joined to it by dots. */
  owner: string[];
  /** From the outermost to the innermost. */
  brackets: OpenBracket[];
  blocks: Block[];
  /** Tokens of the logical line before the word. */
  line: (Token | StringToken)[];
}

/** Statements at the margin that end whatever stood unfinished before them. */
const ANCHOR = /@|(?:async[ \t]+)?def\b|class\b|import\b|from\b/y;

/** Characters of the longest statement that is read back to its beginning. */
const MAX_STATEMENT = 100_000;

/** Reads what stands around a position. */
export function cursorAt(text: string, position: Position): Cursor {
  const offset = offsetAt(text, position);
  const tokens = tokensOf(text, anchorBefore(text, offset), offset);
  const last = tokens.at(-1);
  const string = last && isString(last) && isInside(last, offset) ? last : null;
  const comment = last?.kind === 'comment' ? last : null;
  const word = wordAt(text, offset, last, string ?? comment);
  const before = last && last.start >= word.start && word.start < offset ? tokens.slice(0, -1) : tokens;
  const structure = new Structure(text);
  const seen = string || comment ? tokens.slice(0, -1) : before;
  for (const token of seen) structure.take(token);
  structure.arrive(string?.start ?? comment?.start ?? word.start);
  return {
    text,
    offset,
    position,
    string,
    comment,
    word,
    owner: string || comment ? [] : ownerBefore(text, structure.line),
    brackets: structure.brackets,
    blocks: structure.blocks.map(({ block }) => block),
    line: structure.line,
  };
}

/**
 * The last statement at the margin before the cursor that does not stand inside of a text, else the file's start. Nobody
 * waits for a statement of that many characters: in such a one the cursor stands in nothing.
 */
function anchorBefore(text: string, offset: number): number {
  const quotes = tripleQuotes(text, offset);
  const before = quotes.map(({ length }) => length);
  for (
    let start = lineStart(text, offset);
    offset - start <= MAX_STATEMENT;
    start = lineStart(text, start - 1)
  ) {
    for (const [kind, places] of quotes.entries()) {
      while (before[kind]! > 0 && places[before[kind]! - 1]! >= start) before[kind]! -= 1;
    }
    ANCHOR.lastIndex = start;
    const isAnchor = start < offset && ANCHOR.test(text) && before.every((count) => count % 2 === 0);
    if (isAnchor || start === 0) return start;
  }
  return offset;
}

function tripleQuotes(text: string, end: number): number[][] {
  return ['"""', "'''"].map((quote) => {
    const found: number[] = [];
    for (let at = text.indexOf(quote); at !== -1 && at < end; at = text.indexOf(quote, at + 3))
      found.push(at);
    return found;
  });
}

function isInside(token: StringToken, offset: number): boolean {
  return offset >= token.contentStart && (!token.closed || offset <= token.contentEnd);
}

function wordAt(text: string, offset: number, last: Token | undefined, within: Token | null) {
  if (within) return { start: offset, end: offset };
  const [next] = tokensOf(text, offset, offset + 1);
  if (last?.kind === 'name' && last.end >= offset) return { start: last.start, end: last.end };
  return { start: offset, end: next?.kind === 'name' && next.start === offset ? next.end : offset };
}

/** `GpuGroup.` before the cursor → `['GpuGroup']`. */
function ownerBefore(text: string, line: readonly (Token | StringToken)[]): string[] {
  return pathBefore(text, line, line.length, true).path;
}
