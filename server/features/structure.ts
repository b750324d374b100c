/** Tokens, one after the other → the brackets, functions and classes that are open behind them, in unfinished code too. */
import { lineStart } from './textPlaces.ts';
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
export interface Block {
  keyword: 'def' | 'class';
  name: string;
  /** Index of the keyword, with `async`. */
  start: number;
  /** Index of the first token of its body that is no docstring; null when the cursor is before it. */
  bodyStart: number | null;
  /** Whether the body stands in lines of its own. */
  indented: boolean;
}

/** Words that begin a statement and stand nowhere inside of an expression: a bracket before them was never closed. */
const STATEMENT =
  /(?:def|class|import|from|return|raise|with|while|try|del|pass|assert|global|nonlocal|async[ \t]+(?:def|with))\b|@[\p{L}_]/uy;

interface OpenBlock {
  block: Block;
  indent: number;
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

/** Follows tokens: which brackets and blocks are open after each. */
export class Structure {
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

/** The dotted name that ends before token `end`, with the index of its first token. */
export function pathBefore(
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
