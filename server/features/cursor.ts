/**
 * A text and a place in it → what is being written there: the string, the word, the call and its arguments, the
 * enclosing functions. From tokens alone, so that it holds in unfinished code, where a syntax tree is wrong.
 */
import type { Position } from '../../runtime/contract/diagnostic.ts';
import { isString, type StringToken, type Token, tokensOf } from './tokens.ts';

/** A bracket that is open at the cursor. */
export interface OpenBracket {
  bracket: '(' | '[' | '{';
  start: number;
  /** What is called or subscripted: `['api', 'get']` for `@api.get(`; empty when it is no dotted name. */
  callee: string[];
  /** Whether `@` stands before the callee. */
  decorates: boolean;
  /** The tokens inside, those before the cursor only. */
  inside: (Token | StringToken)[];
}

/** A `def` or `class` that the cursor stands in. */
interface Block {
  keyword: 'def' | 'class';
  name: string;
  /** Index of the keyword, with `async`. */
  start: number;
  /** Index of the first token of its body that is no docstring; null when the cursor is before it. */
  bodyStart: number | null;
  /** Whether the body stands in lines of its own. */
  indented: boolean;
}

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

/** Words that begin a statement and stand nowhere inside of an expression: a bracket before them was never closed. */
const STATEMENT =
  /(?:def|class|import|from|return|raise|with|while|try|del|pass|assert|global|nonlocal|async[ \t]+(?:def|with))\b|@[\p{L}_]/uy;

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

/** The index of a position; one beyond its line's end is that end. */
export function offsetAt(text: string, { line, character }: Position): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.min(start + character, end === -1 ? text.length : end);
}

/** The position of an index. */
export function positionAt(text: string, offset: number): Position {
  let line = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, character: offset - start };
}

/** The index at which the line of an index begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
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

/** The dotted name that ends before token `end`, with the index of its first token. */
function pathBefore(
  text: string,
  tokens: readonly (Token | StringToken)[],
  end: number,
  afterDot: boolean,
): { path: string[]; first: number } {
  const path: string[] = [];
  let at = end;
  if (afterDot) {
    if (!isText(text, tokens[at - 1], '.')) return { path, first: end };
    at -= 1;
  }
  for (;;) {
    const name = tokens[at - 1];
    if (name?.kind !== 'name') return { path: [], first: end };
    path.unshift(text.slice(name.start, name.end));
    at -= 1;
    if (!isText(text, tokens[at - 1], '.')) return { path, first: at };
    at -= 1;
  }
}

function isText(text: string, token: Token | undefined, expected: string): boolean {
  return token !== undefined && text.slice(token.start, token.end) === expected;
}

interface OpenBlock {
  block: Block;
  indent: number;
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

/** Follows tokens: which brackets and blocks are open after each. */
class Structure {
  readonly brackets: OpenBracket[] = [];
  readonly blocks: OpenBlock[] = [];
  line: (Token | StringToken)[] = [];
  readonly #text: string;
  #startsLine = true;

  constructor(text: string) {
    this.#text = text;
  }

  take(token: Token | StringToken): void {
    if (token.kind === 'comment') return;
    if (token.kind === 'newline') {
      this.#startsLine = true;
      if (this.brackets.length === 0) this.#endLine();
      return;
    }
    this.arrive(token.start);
    this.#startsLine = false;
    const char = this.#text[token.start]!;
    if (token.kind === 'operator' && OPENING.has(char)) this.#open(token, char as OpenBracket['bracket']);
    else if (token.kind === 'operator' && CLOSING.has(char)) this.brackets.pop();
    for (const bracket of this.brackets) if (bracket.start !== token.start) bracket.inside.push(token);
    this.line.push(token);
    if (this.brackets.length === 0 && char === ';') this.line = [];
  }

  /** Something stands at an index: if it begins a line, blocks may end there and a body may begin. */
  arrive(at: number): void {
    if (this.#startsLine && this.brackets.length > 0) {
      STATEMENT.lastIndex = at;
      if (STATEMENT.test(this.#text)) {
        this.brackets.length = 0;
        this.#endLine();
      }
    }
    if (this.brackets.length > 0 || this.line.length > 0 || !this.#startsLine) return;
    const indent = at - lineStart(this.#text, at);
    while (this.blocks.length > 0 && this.blocks.at(-1)!.indent >= indent) this.blocks.pop();
    const inner = this.blocks.at(-1)?.block;
    if (inner && inner.bodyStart === null) {
      inner.indented = true;
      const [only] = tokensOf(this.#text, at, at + 1);
      if (!only || !isString(only)) inner.bodyStart = at;
    }
  }

  #open(token: Token, bracket: OpenBracket['bracket']): void {
    const { path, first } = pathBefore(this.#text, this.line, this.line.length, false);
    const decorates = isText(this.#text, this.line[first - 1], '@');
    this.brackets.push({ bracket, start: token.start, callee: path, decorates, inside: [] });
  }

  /** Notices the header of a block. */
  #endLine(): void {
    const [first, ...rest] = this.line;
    const isAsync = isText(this.#text, first, 'async');
    const [head, name] = isAsync ? rest : this.line;
    const keyword = head && this.#text.slice(head.start, head.end);
    if (first && (keyword === 'def' || keyword === 'class') && name?.kind === 'name') {
      const block: Block = {
        keyword,
        name: this.#text.slice(name.start, name.end),
        start: first.start,
        bodyStart: null,
        indented: false,
      };
      const indent = first.start - lineStart(this.#text, first.start);
      if (isText(this.#text, this.line.at(-1), ':')) this.blocks.push({ block, indent });
    }
    this.line = [];
  }
}
