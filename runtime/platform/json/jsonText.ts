/**
 * JSON as it was sent: parsed and written again, numbers beyond a double's precision would change, and 1.0 would be 1. A long
 * text stays the bytes that came over the wire, which go from thread to thread without a copy.
 */
export type JsonText = string | Uint8Array<ArrayBuffer>;

/** From how many bytes on a text stays bytes: what is shorter is made a string and sent on within a tenth of a millisecond. */
export const LONG_TEXT = 262_144;

/** In bytes. */
export function sizeOf(text: JsonText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
}

/** The same text, as its bytes when it is long. */
export function asKept(text: JsonText): JsonText {
  return typeof text === 'string' && sizeOf(text) >= LONG_TEXT ? Buffer.from(text) : text;
}

/** The same text in as few pieces as there can be: strings that follow each other are one. */
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
