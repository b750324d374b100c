/** JSON text → values whose numbers go out again as they came in: Python tells 1.0 from 1, and has longer integers. */

declare global {
  interface JSON {
    /** A value that is written as this text; of Node 21 and later. */
    rawJSON(text: string): object;
  }
}

/** Numbers that JavaScript may write in another way than they were written. */
const UNUSUAL_NUMBER = /\d{16}|\d[.eE]|-0/;

/**
 * As `JSON.parse`, but a number that would be written differently is an object that `JSON.stringify` writes as it
 * was.
 */
export function parseExact(text: string): unknown {
  return UNUSUAL_NUMBER.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text);
}

function keepNumber(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? JSON.rawJSON(source)
    : value;
}
