/**
 * The opening quote of a string literal → the index after its closing quote, including nested fields of
 * f-strings.
 */

/** A literal that does not end. */
export class StringFault extends Error {
  readonly place: { start: number; end: number };
  readonly fix: string;

  constructor(message: string, start: number, length: number, fix: string) {
    super(message);
    this.place = { start, end: start + length };
    this.fix = fix;
  }
}

/** Maximum number of nested fields, far more than Python accepts. */
const MAX_NESTING = 100;

/**
 * Skips a literal.
 *
 * @param at - Index of the opening quote.
 * @param prefix - Letters before the quote, such as `rb`.
 * @throws StringFault when the literal or one of its fields does not end.
 */
export function skipString(text: string, at: number, prefix: string, nesting = 0): number {
  const quote = text[at]!;
  const isTriple = text.startsWith(quote.repeat(3), at);
  const close = isTriple ? quote.repeat(3) : quote;
  const hasFields = /[ft]/i.test(prefix);
  const literal = { text, start: at, close, isTriple, nesting };
  let i = at + close.length;
  while (!text.startsWith(close, i)) {
    const char = text[i];
    if (char === undefined || (char === '\n' && !isTriple)) throw unterminated(literal);
    if (char === '\\') i = skipEscape(text, i, hasFields, /r/i.test(prefix));
    else if (hasFields && char === '{') i = text[i + 1] === '{' ? i + 2 : skipField(literal, i + 1);
    else i += 1;
  }
  return i + close.length;
}

interface Literal {
  text: string;
  start: number;
  close: string;
  isTriple: boolean;
  nesting: number;
}

function skipEscape(text: string, i: number, hasFields: boolean, isRaw: boolean): number {
  const next = text[i + 1];
  if (hasFields && !isRaw && next === 'N' && text[i + 2] === '{') {
    const end = text.indexOf('}', i);
    return end === -1 ? i + 2 : end + 1;
  }
  // A backslash does not escape the brace of a field.
  if (hasFields && (next === '{' || next === '}')) return i + 1;
  return text.startsWith('\r\n', i + 1) ? i + 3 : i + 2;
}

/** Skips from after the `{` of a field to after its `}`. */
function skipField(literal: Literal, from: number): number {
  const { text, start, close, isTriple, nesting } = literal;
  if (nesting > MAX_NESTING) throw unterminated(literal);
  let depth = 0;
  let i = from;
  for (;;) {
    const char = text[i];
    if (char === undefined) throw unterminated(literal);
    if (char === '"' || char === "'") {
      const prefix = /[A-Za-z]{0,2}$/.exec(text.slice(Math.max(from, i - 2), i))?.[0] ?? '';
      i = skipNested(literal, i, /^(?:[rbuft]|rb|br|fr|rf|tr|rt)$/i.test(prefix) ? prefix : '');
    } else if (char === '(' || char === '[' || char === '{') {
      depth += 1;
      i += 1;
    } else if (depth > 0 && (char === ')' || char === ']' || char === '}')) {
      depth -= 1;
      i += 1;
    } else if (char === '}') {
      return i + 1;
    } else if (char === '#') {
      const end = text.indexOf('\n', i);
      i = end === -1 ? text.length : end;
    } else if (depth === 0 && char === ':') {
      return skipFormat({ text, start, close, isTriple, nesting }, i + 1);
    } else {
      i += 1;
    }
  }
}

/**
 * Skips a string inside a field. If the string does not end, its quote was probably meant to end the literal.
 */
function skipNested(literal: Literal, at: number, prefix: string): number {
  try {
    return skipString(literal.text, at, prefix, literal.nesting + 1);
  } catch (error) {
    if (error instanceof StringFault && literal.text[at] === literal.close[0]) throw unterminated(literal);
    throw error;
  }
}

/** Skips from after the `:` of a field to after its `}`. */
function skipFormat(literal: Literal, from: number): number {
  const { text, close, isTriple } = literal;
  let i = from;
  for (;;) {
    const char = text[i];
    if (char === undefined || (char === '\n' && !isTriple) || text.startsWith(close, i))
      throw unterminated(literal);
    if (char === '{') i = skipField({ ...literal, nesting: literal.nesting + 1 }, i + 1);
    else if (char === '}') return i + 1;
    else i += 1;
  }
}

function unterminated({ text, start, close, isTriple }: Literal): StringFault {
  const line = text.indexOf('\n', start);
  const end = line === -1 || isTriple ? start + close.length : line;
  return new StringFault('This string is never closed.', start, end - start, `Add the missing ${close}.`);
}
