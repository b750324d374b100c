/**
 * Python text → tokens, for unfinished text, where a syntax tree does not help. Never throws: any character that is
 * not part of a token becomes an operator.
 */

/** Indices count UTF-16 code units; `end` is exclusive. */
interface Written {
  text: string;
  start: number;
  end: number;
}

/** A string literal. An unclosed one ends with its line, or with the text if it is triple-quoted. */
export interface StringToken extends Written {
  kind: 'string';
  /** Where the content begins and ends, without prefix and quotes. */
  contentStart: number;
  contentEnd: number;
  content: string;
  /** The quote, one or three characters. */
  quote: string;
  closed: boolean;
}

export type Token =
  | StringToken
  | (Written & { kind: 'name' | 'number' | 'operator' | 'newline' | 'comment' });

/** Whitespace and line continuations. */
const BLANK = /(?:[ \t\f\uFEFF]|\\\r?\n)+/y;
const QUOTE = /([A-Za-z]{0,2})("""|'''|"|')/y;
const PREFIX = /^(?:[rbuft]|rb|br|fr|rf|tr|rt)?$/i;
const KINDS = [
  ['name', /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy],
  ['newline', /\r?\n|\r/y],
  ['comment', /#[^\r\n]*/y],
  ['number', /\.?\d(?:[\w.]|(?<=[eE])[+-])*/y],
] as const;

/** Tokens that begin between `from` and `to`. `from` must be the beginning of a token. */
export function tokensOf(text: string, from = 0, to = text.length): Token[] {
  return [...tokensFrom(text, from, to)];
}

/** Like `tokensOf`, but lazy, for callers that stop early. */
function* tokensFrom(text: string, from: number, to: number): Generator<Token> {
  for (let at = endOf(BLANK, text, from); at < to; at = endOf(BLANK, text, at)) {
    const token = stringAt(text, at) ?? tokenAt(text, at);
    yield token;
    at = token.end;
  }
}

/** Splits tokens at the commas of one level; returns at least one list. */
export function split(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthOf(token);
    if (token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The change in bracket depth at a token. */
export function depthOf({ kind, text }: Token): -1 | 0 | 1 {
  if (kind !== 'operator') return 0;
  return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
}

/** Words that begin a statement and never occur inside an expression. */
const STATEMENT =
  /(?:def|class|import|from|return|raise|with|while|try|del|pass|assert|global|nonlocal|async[ \t]+(?:def|with))\b|@[\p{L}_]/uy;

/** Whether a statement begins at the first word of a line. If so, a bracket that is still open was never closed. */
export function beginsStatement(text: string, at: number): boolean {
  return endOf(STATEMENT, text, at) > at;
}

/** In characters. How far to look for the end of a bracket. */
const LOOK_AHEAD = 4_000;

/** The tokens from an index inside a bracket to its end, without comments and line ends. */
export function untilClosed(text: string, from: number): Token[] {
  const kept: Token[] = [];
  let depth = 0;
  let startsLine = false;
  for (const token of tokensFrom(text, from, from + LOOK_AHEAD)) {
    if (token.kind === 'newline') startsLine = true;
    if (token.kind === 'newline' || token.kind === 'comment') continue;
    depth += depthOf(token);
    if (depth < 0 || (startsLine && beginsStatement(text, token.start))) break;
    startsLine = false;
    kept.push(token);
  }
  return kept;
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, pattern] of KINDS) {
    const end = endOf(pattern, text, start);
    if (end > start) return { kind, text: text.slice(start, end), start, end };
  }
  return { kind: 'operator', text: text[start]!, start, end: start + 1 };
}

function stringAt(text: string, start: number): StringToken | null {
  QUOTE.lastIndex = start;
  const match = QUOTE.exec(text);
  if (!match || !PREFIX.test(match[1]!)) return null;
  const quote = match[2]!;
  const contentStart = QUOTE.lastIndex;
  let at = contentStart;
  while (at < text.length && !text.startsWith(quote, at)) {
    if (quote.length === 1 && /[\r\n]/.test(text[at]!)) break;
    if (text[at] === '\\') at += text.startsWith('\r\n', at + 1) ? 3 : 2;
    else at += 1;
  }
  const contentEnd = Math.min(at, text.length);
  const content = text.slice(contentStart, contentEnd);
  const closed = text.startsWith(quote, contentEnd);
  const end = closed ? contentEnd + quote.length : contentEnd;
  const written = { text: text.slice(start, end), start, end };
  return { kind: 'string', ...written, contentStart, contentEnd, content, quote, closed };
}

/** The index after a match that begins exactly at `at`; `at` if there is no match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
