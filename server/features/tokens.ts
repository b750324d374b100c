/**
 * Python text → its tokens, for places where a syntax tree is of no help because the text is unfinished. It never
 * throws: what is no token of Python is an operator of one character.
 */

/** Indices count UTF-16 code units; `end` is exclusive. */
export interface Token {
  kind: 'name' | 'number' | 'string' | 'operator' | 'newline' | 'comment';
  start: number;
  end: number;
}

/** A string literal; one that is not closed ends with its line, or with the text when it has three quotes. */
export interface StringToken extends Token {
  kind: 'string';
  /** Where the content begins and ends, without prefix and quotes. */
  contentStart: number;
  contentEnd: number;
  /** The quote, one or three characters. */
  quote: string;
  closed: boolean;
}

/** Blanks and line continuations, then one token's beginning. */
const BLANK = /(?:[ \t\f\uFEFF]|\\\r?\n)+/y;
const NEWLINE = /\r?\n|\r/y;
const COMMENT = /#[^\r\n]*/y;
const QUOTE = /([A-Za-z]{0,2})("""|'''|"|')/y;
const PREFIX = /^(?:[rbuft]|rb|br|fr|rf|tr|rt)?$/i;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const NUMBER = /\.?\d(?:[\w.]|(?<=[eE])[+-])*/y;

/** Tokens that begin before `to`, from `from` on, which must be the beginning of one. */
export function tokensOf(text: string, from = 0, to = text.length): (Token | StringToken)[] {
  return [...tokensFrom(text, from, to)];
}

/** The same one by one, for those who stop early. */
export function* tokensFrom(text: string, from: number, to = text.length): Generator<Token | StringToken> {
  let at = from;
  while (at < to) {
    const blank = endOf(BLANK, text, at);
    if (blank > at) {
      at = blank;
      continue;
    }
    const token = stringAt(text, at) ?? tokenAt(text, at);
    yield token;
    at = token.end;
  }
}

/** Whether a token is a string literal. */
export function isString(token: Token | StringToken): token is StringToken {
  return token.kind === 'string';
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, pattern] of KINDS) {
    const end = endOf(pattern, text, start);
    if (end > start) return { kind, start, end };
  }
  return { kind: 'operator', start, end: start + 1 };
}

const KINDS = [
  ['name', NAME],
  ['newline', NEWLINE],
  ['comment', COMMENT],
  ['number', NUMBER],
] as const;

function stringAt(text: string, start: number): StringToken | null {
  QUOTE.lastIndex = start;
  const match = QUOTE.exec(text);
  if (!match || !PREFIX.test(match[1]!)) return null;
  const quote = match[2]!;
  const contentStart = QUOTE.lastIndex;
  let at = contentStart;
  while (at < text.length) {
    if (text.startsWith(quote, at)) {
      const end = at + quote.length;
      return { kind: 'string', start, end, contentStart, contentEnd: at, quote, closed: true };
    }
    const char = text[at];
    if (quote.length === 1 && (char === '\n' || char === '\r')) break;
    if (char === '\\') at += text.startsWith('\r\n', at + 1) ? 3 : 2;
    else at += 1;
  }
  const end = Math.min(at, text.length);
  return { kind: 'string', start, end, contentStart, contentEnd: end, quote, closed: false };
}

/** Index after a match that begins exactly at `at`, else `at`. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
