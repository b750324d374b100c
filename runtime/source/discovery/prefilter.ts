/** Bytes → whether a file contains the words of a declaration: `toolkit_sdk` or `Endpoint`. */
import { SDK_MODULE } from '../../contract/names.ts';

const SDK = Buffer.from(SDK_MODULE);
const ENDPOINT = Buffer.from('Endpoint');
/**
 * The index in each word of the byte that is rarest in source code. Searching for a byte is faster than
 * searching for a text.
 */
const RARE_IN_SDK = SDK_MODULE.indexOf('k');
const RARE_IN_ENDPOINT = 0;

/** Whether a file contains one of the words. */
export function mentionsEndpoint(bytes: Buffer): boolean {
  // In UTF-16, every Latin letter contains a NUL, which no valid Python file has. Such a file is reported,
  // not skipped.
  const said = bytes.includes(0) ? Buffer.from(bytes.filter((byte) => byte !== 0)) : bytes;
  return (
    includes(said, SDK, RARE_IN_SDK) ||
    (includes(said, ENDPOINT, RARE_IN_ENDPOINT) && mentionsWord(said, ENDPOINT))
  );
}

/** Whether the bytes contain a text. Searches for the text's byte at index `rare`. */
function includes(bytes: Buffer, text: Buffer, rare: number): boolean {
  const byte = text[rare]!;
  for (let at = bytes.indexOf(byte, rare); at !== -1; at = bytes.indexOf(byte, at + 1)) {
    let same = 0;
    while (same < text.length && bytes[at - rare + same] === text[same]) same += 1;
    if (same === text.length) return true;
  }
  return false;
}

/** Whether the bytes contain a name as a whole word. */
export function mentionsWord(bytes: Buffer, word: Buffer): boolean {
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) {
    if (!isNameByte(bytes[at - 1]) && !isNameByte(bytes[at + word.length])) return true;
  }
  return false;
}

/** Whether a byte is part of a name: an ASCII letter, a digit, `_`, or a byte of a non-ASCII character. */
export function isNameByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte >= 0x80;
}
