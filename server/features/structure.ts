/** Tokens → the brackets, functions and classes that are open after them. Works in unfinished code. */
import { lineStart } from './textPlaces.ts';
import { beginsStatement, depthOf, type Token, tokensOf } from './tokens.ts';

/** A bracket that is open at the cursor. */
export interface OpenBracket {
  bracket: string;
  start: number;
  /** What is called or subscripted: `['api', 'get']` for `@api.get(`; empty if it is not a dotted name. */
  callee: string[];
  /** Whether `@` is before the callee. */
  decorates: boolean;
  /** The tokens inside it, up to the cursor. */
  inside: Token[];
}

/** A `def` or `class` that the cursor is in. */
export interface Block {
  keyword: 'def' | 'class';
  name: string;
  /** Index of the keyword, including `async`. */
  start: number;
  /** Columns before it. */
  indent: number;
  /** Index of the first token of its body that is not a docstring; null if the cursor is before it. */
  bodyStart: number | null;
  /** Whether the body has lines of its own. */
  indented: boolean;
}

/** Tracks which brackets and blocks are open after each token. */
export class Structure {
  readonly brackets: OpenBracket[] = [];
  readonly blocks: Block[] = [];
  line: Token[] = [];
  readonly #text: string;
  #startsLine = true;

  constructor(text: string) {
    this.#text = text;
  }

  take(token: Token): void {
    if (token.kind === 'comment') return;
    if (token.kind === 'newline') {
      this.#startsLine = true;
      if (this.brackets.length === 0) this.#endLine();
      return;
    }
    this.arrive(token.start);
    this.#startsLine = false;
    const depth = depthOf(token);
    if (depth < 0) this.brackets.pop();
    for (const bracket of this.brackets) bracket.inside.push(token);
    if (depth > 0) this.#open(token);
    this.line.push(token);
    if (this.brackets.length === 0 && token.text === ';') this.line = [];
  }

  /** Advances to an index. If it begins a line, blocks can end there and a body can begin. */
  arrive(at: number): void {
    if (this.#startsLine && this.brackets.length > 0 && beginsStatement(this.#text, at)) {
      this.brackets.length = 0;
      this.#endLine();
    }
    if (this.brackets.length > 0 || this.line.length > 0 || !this.#startsLine) return;
    const indent = at - lineStart(this.#text, at);
    while (this.blocks.length > 0 && this.blocks.at(-1)!.indent >= indent) this.blocks.pop();
    const inner = this.blocks.at(-1);
    if (inner && inner.bodyStart === null) {
      inner.indented = true;
      if (tokensOf(this.#text, at, at + 1)[0]?.kind !== 'string') inner.bodyStart = at;
    }
  }

  #open({ text: bracket, start }: Token): void {
    const callee = pathBefore(this.line);
    const first = this.line.length - Math.max(0, 2 * callee.length - 1);
    const decorates = this.line[first - 1]?.text === '@';
    this.brackets.push({ bracket, start, callee, decorates, inside: [] });
  }

  /** Ends a logical line, which may be the header of a block. */
  #endLine(): void {
    const [first] = this.line;
    const [head, name] = first?.text === 'async' ? this.line.slice(1) : this.line;
    const keyword = head?.text;
    const isHeader = (keyword === 'def' || keyword === 'class') && name?.kind === 'name';
    if (isHeader && this.line.at(-1)?.text === ':') {
      const { start } = first!;
      const indent = start - lineStart(this.#text, start);
      this.blocks.push({ keyword, name: name.text, start, indent, bodyStart: null, indented: false });
    }
    this.line = [];
  }
}

/** The dotted name at the end of tokens; empty if there is none. */
export function pathBefore(tokens: readonly Token[]): string[] {
  const path: string[] = [];
  for (let at = tokens.length - 1; ; at -= 2) {
    const name = tokens[at];
    if (name?.kind !== 'name') return [];
    path.unshift(name.text);
    if (tokens[at - 1]?.text !== '.') return path;
  }
}
