/** The form of a platform's keys. */

/**
 * Whether a text can be a key: it must be printable ASCII without spaces, because a header carries it.
 * Callers must check this before they send a key. Otherwise `fetch` fails with a message that contains the
 * key.
 */
export function isKey(text: string): boolean {
  return /^[\x21-\x7E]+$/.test(text);
}
