/** Parses JSON so that numbers are written back unchanged: Python distinguishes 1.0 from 1 and has longer integers. */

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. Node 21 and later. */
    rawJSON(text: string): object;
  }
}

/** Numbers that JavaScript could write differently. */
const UNUSUAL_NUMBER = /\d{16}|\d[.eE]|-0/;

/**
 * Like `JSON.parse`, but a number that would be written differently becomes an object that `JSON.stringify` writes in
 * its original form.
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
