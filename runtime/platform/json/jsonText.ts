/**
 * JSON as it was sent. Parsing and serializing it again would change numbers beyond a double's precision and
 * turn 1.0 into 1. A long text stays in the bytes that were received, which move between threads without a
 * copy.
 */
export type JsonText = string | Uint8Array<ArrayBuffer>;

/**
 * Texts of at least this many bytes stay bytes. Shorter ones are converted to a string and sent on within a
 * tenth of a millisecond.
 */
export const LONG_TEXT = 262_144;

/** Size in bytes. */
export function sizeOf(text: JsonText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
}

/** The same text, as bytes if it is long. */
export function asKept(text: JsonText): JsonText {
  return typeof text === 'string' && sizeOf(text) >= LONG_TEXT ? Buffer.from(text) : text;
}

/** The same text in as few pieces as possible: adjacent strings are joined. */
export function joined(pieces: JsonText[]): JsonText[] {
  const fewer: JsonText[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      if (text !== '') fewer.push(text);
      fewer.push(piece);
      text = '';
    }
  }
  if (text !== '') fewer.push(text);
  return fewer;
}

/** The same text in one piece. */
export function whole(pieces: JsonText[]): JsonText {
  const fewer = joined(pieces);
  const bytes = () => fewer.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  return fewer.length === 1 ? fewer[0]! : Buffer.concat(bytes());
}
