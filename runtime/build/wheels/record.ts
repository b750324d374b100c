/** Reads and writes a wheel's RECORD: CSV rows of path, hash and size. */
import { hash } from 'node:crypto';

/** One row. The hash is `sha256=…` and the size is in bytes, or both are empty. */
export interface RecordRow {
  path: string;
  hash: string;
  size: string;
}

/** Reads a RECORD. Does not validate its rows, since the RECORD is rewritten anyway. */
export function parseRecord(text: string): RecordRow[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [path = '', hash = '', size = ''] = splitRow(line);
      return { path, hash, size };
    });
}

/** Writes a RECORD, sorted by path. */
export function renderRecord(rows: readonly RecordRow[]): Buffer {
  const sorted = rows.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return Buffer.from(sorted.map((row) => `${quoted(row.path)},${row.hash},${row.size}\n`).join(''));
}

/** The hash in the form of a RECORD: urlsafe base64 without padding. */
export function recordedHash(bytes: Uint8Array): string {
  return `sha256=${hash('sha256', bytes, 'base64url')}`;
}

function splitRow(line: string): string[] {
  if (!line.startsWith('"')) return line.split(',');
  const match = /^"((?:[^"]|"")*)"(?:,(.*))?$/.exec(line);
  return match ? [match[1]!.replaceAll('""', '"'), ...(match[2] ?? '').split(',')] : line.split(',');
}

function quoted(path: string): string {
  return /[",]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
}
