/** One file's tar header, with a fixed owner and date so that equal inputs give equal bytes. POSIX ustar, pax where needed. */

const BLOCK = 512;
const USTAR_NAME = 100;
const LARGEST_OCTAL_SIZE = 0o77777777777;

/** Date of every file, in seconds: 1980-01-01, the first date that both zip and tar can store. */
export const ARCHIVE_MTIME = 315_532_800;

/** The two file modes in an artifact. */
export type ArchiveMode = 0o644 | 0o755;

/** Number of zero bytes that follow `size` bytes of content. */
export function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/**
 * The header of one regular file. A pax header comes before it if ustar cannot store the name or the size.
 *
 * @param size Bytes of the content.
 */
export function tarHeader(path: string, size: number, mode: ArchiveMode): Buffer {
  const records: string[] = [];
  const nameFits = Buffer.byteLength(path) <= USTAR_NAME && /^[\x20-\x7e]*$/.test(path);
  if (!nameFits) records.push(paxRecord('path', path));
  if (size > LARGEST_OCTAL_SIZE) records.push(paxRecord('size', String(size)));
  const header = block(
    nameFits ? path : shortened(path),
    records.length && size > LARGEST_OCTAL_SIZE ? 0 : size,
    mode,
    '0',
  );
  if (records.length === 0) return header;
  const body = Buffer.from(records.join(''));
  const pax = block('PaxHeader', body.length, 0o644, 'x');
  return Buffer.concat([pax, body, Buffer.alloc(paddingAfter(body.length)), header]);
}

function block(name: string, size: number, mode: number, type: '0' | 'x'): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, USTAR_NAME, 'utf8');
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(ARCHIVE_MTIME, 11), 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** A pax record begins with its length, which includes the digits of the length itself. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

/** The name for readers without pax: the last segment of the path, in ASCII. */
function shortened(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/[^\x20-\x7e]/g, '_')
    .slice(0, USTAR_NAME);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
