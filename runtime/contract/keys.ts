/** The shape of a platform's keys. */

/**
 * Whether a text can be a key: a header carries it, so it is printable ASCII without spaces. What cannot be sent must
 * not be tried either, since the message of that failure shows it.
 */
export function isKey(text: string): boolean {
  return /^[\x21-\x7E]+$/.test(text);
}
