/** Bytes of a Python file → its text, as Python itself would decode them (byte order mark, PEP 263, UTF-8). */
import { isUtf8 } from 'node:buffer';

/** A decoded text, or why there is none. */
export type Decoded = { text: string } | { fault: string; fix: string; line: number };

const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;

/** Python's names for encodings that TextDecoder knows by another name. */
const PYTHON_NAMES: Readonly<Record<string, string>> = {
  'latin-1': 'latin1',
  latin: 'latin1',
  l1: 'latin1',
  'iso-latin-1': 'latin1',
  'utf8-sig': 'utf-8',
  'utf-8-sig': 'utf-8',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  mbcs: 'windows-1252',
};

/**
 * Decodes a file. Strips a byte order mark, because it would shift the columns of the first line. Replaces a
 * lone carriage return with a line feed, because Python and editors treat it as a line end.
 */
export function decodeSource(bytes: Buffer): Decoded {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return {
      fault: 'This file is encoded in UTF-16, which Python cannot read.',
      fix: 'Save the file as UTF-8.',
      line: 0,
    };
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = marked ? bytes.subarray(3) : bytes;
  const declared = declaredEncoding(content)?.toLowerCase().replaceAll('_', '-');
  const encoding = declared ?? 'utf-8';
  if (/^(?:utf-?8(?:-.*)?|u8|ascii|us-ascii)$/.test(encoding)) {
    if (isUtf8(content)) return { text: normalise(content.toString('utf8')) };
    return {
      fault: 'This file is not valid UTF-8.',
      fix: 'Save the file as UTF-8, or declare its encoding on the first line, for example "# -*- coding: latin-1 -*-".',
      line: firstBadLine(content),
    };
  }
  try {
    return { text: normalise(new TextDecoder(PYTHON_NAMES[encoding] ?? encoding).decode(content)) };
  } catch {
    return {
      fault: `This file declares the unknown encoding "${declared}".`,
      fix: 'Save the file as UTF-8.',
      line: 0,
    };
  }
}

function normalise(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** The encoding that the first line declares, or the second line if the first is blank or a comment. */
function declaredEncoding(bytes: Buffer): string | undefined {
  const lines = bytes.toString('latin1', 0, 400).split(/\r\n|\r|\n/, 2);
  const first = COOKIE.exec(lines[0]!);
  if (first) return first[1];
  return /^[ \t\f]*(?:#.*)?$/.test(lines[0]!) ? COOKIE.exec(lines[1] ?? '')?.[1] : undefined;
}

function firstBadLine(bytes: Buffer): number {
  let line = 0;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    line += 1;
    start = end + 1;
  }
}
