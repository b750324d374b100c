/**
 * A zip file's central directory → its entries. Reads only the directory, including zip64. Refuses what must not be installed:
 * encrypted files, symbolic links, names outside the folder. Layout: PKWARE APPNOTE 6.3.
 */
import type { FileHandle } from 'node:fs/promises';
import { ToolkitError } from '../../contract/errors.ts';

/** Compression methods of wheels. */
export const ZIP_STORED = 0;
export const ZIP_DEFLATED = 8;

/** One file of a zip, as listed in the central directory. Sizes are in bytes. */
export interface ZipEntry {
  name: string;
  method: typeof ZIP_STORED | typeof ZIP_DEFLATED;
  crc: number;
  compressedSize: number;
  size: number;
  /** Offset of the local header. */
  headerOffset: number;
  executable: boolean;
}

const END_SIGNATURE = 0x06054b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LONGEST_COMMENT = 0xffff;
const ENCRYPTED = 0x1;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;

/**
 * Reads the entries of a zip file without its folders, in the order of their bytes.
 *
 * @param label Name of the file in messages, at the start of a sentence.
 * @throws ToolkitError WHEEL_INVALID if it is not a zip file, or contains something that is refused.
 */
export async function readZipDirectory(file: FileHandle, label: string): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const { offset, length, count } = await findDirectory(file, size, label);
  const directory = await readExactly(file, offset, length, label);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_LENGTH > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw invalid(label, 'its directory is damaged');
    }
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const next = at + ENTRY_LENGTH + nameLength + extraLength + directory.readUInt16LE(at + 32);
    if (next > directory.length) throw invalid(label, 'its directory is damaged');
    const entry = decodeEntry(directory.subarray(at, next), nameLength, extraLength, label);
    if (entry) entries.push(entry);
    at = next;
  }
  return entries.sort((a, b) => a.headerOffset - b.headerOffset);
}

async function findDirectory(file: FileHandle, size: number, label: string) {
  const tailStart = Math.max(0, size - END_LENGTH - LONGEST_COMMENT);
  const tail = await readExactly(file, tailStart, size - tailStart, label);
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const found = {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    const isZip64 = found.count === 0xffff || found.length === 0xffffffff || found.offset === 0xffffffff;
    const located = isZip64 ? await findZip64Directory(file, tailStart + at, label) : found;
    if (located.offset + located.length > size) throw invalid(label, 'its directory is outside the file');
    return located;
  }
  throw invalid(label, 'it is not a zip file, or it is incomplete');
}

async function findZip64Directory(file: FileHandle, endOffset: number, label: string) {
  const locator = await readExactly(file, endOffset - 20, 20, label);
  if (locator.readUInt32LE(0) !== ZIP64_LOCATOR_SIGNATURE)
    throw invalid(label, 'its zip64 locator is missing');
  const record = await readExactly(file, readNumber64(locator, 8), 56, label);
  if (record.readUInt32LE(0) !== ZIP64_END_SIGNATURE) throw invalid(label, 'its zip64 directory is missing');
  return {
    count: readNumber64(record, 32),
    length: readNumber64(record, 40),
    offset: readNumber64(record, 48),
  };
}

function decodeEntry(bytes: Buffer, nameLength: number, extraLength: number, label: string): ZipEntry | null {
  const name = decodeName(bytes.subarray(ENTRY_LENGTH, ENTRY_LENGTH + nameLength), label);
  const extra = bytes.subarray(ENTRY_LENGTH + nameLength, ENTRY_LENGTH + nameLength + extraLength);
  const [size, compressedSize, headerOffset] = readSizes(bytes, extra);
  const mode = bytes.readUInt32LE(38) >>> 16;
  const type = mode & FILE_TYPE;
  if (name.endsWith('/') || type === FOLDER) return null;
  refuseHostileName(name, label);
  if (type !== 0 && type !== REGULAR_FILE) throw invalid(label, `"${name}" is a link or a device`);
  if (bytes.readUInt16LE(8) & ENCRYPTED) throw invalid(label, `"${name}" is encrypted`);
  const method = bytes.readUInt16LE(10);
  if (method !== ZIP_STORED && method !== ZIP_DEFLATED) {
    throw invalid(label, `"${name}" is compressed with method ${method}, which wheels do not use`);
  }
  const crc = bytes.readUInt32LE(16);
  return { name, method, crc, compressedSize, size, headerOffset, executable: (mode & 0o111) !== 0 };
}

/** Uncompressed size, compressed size and offset: 32 bits each. A value of all ones is in the zip64 field instead. */
function readSizes(bytes: Buffer, extra: Buffer): [number, number, number] {
  const values: [number, number, number] = [
    bytes.readUInt32LE(24),
    bytes.readUInt32LE(20),
    bytes.readUInt32LE(42),
  ];
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      let field = at + 4;
      const end = Math.min(field + length, extra.length);
      for (const [index, value] of values.entries()) {
        if (value !== 0xffffffff || field + 8 > end) continue;
        values[index] = readNumber64(extra, field);
        field += 8;
      }
    }
    at += 4 + length;
  }
  return values;
}

function decodeName(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid(label, 'it contains a file name that is not UTF-8', cause);
  }
}

function refuseHostileName(name: string, label: string): void {
  const segments = name.split('/');
  const leaves = segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  if (leaves || /[\\\p{Cc}]/u.test(name) || /^[A-Za-z]:/.test(name)) {
    throw invalid(label, `it contains the file name ${JSON.stringify(name)}, which is not allowed`);
  }
}

function readNumber64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

async function readExactly(file: FileHandle, offset: number, length: number, label: string): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, length));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, Math.max(0, offset));
  if (bytesRead !== length) throw invalid(label, 'it is incomplete');
  return bytes;
}

function invalid(label: string, why: string, cause?: unknown): ToolkitError {
  return new ToolkitError('WHEEL_INVALID', `${label} cannot be used: ${why}.`, {
    hint: 'Pin another version of the package, or report the broken wheel to its publisher.',
    cause,
  });
}
