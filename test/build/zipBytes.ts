/** Zip files for tests, also with the oddities and false headers that no library writes. */
import { crc32, deflateRawSync } from 'node:zlib';

/** One file of a zip. */
export interface ZipMember {
  name: string | Buffer;
  content: string | Buffer;
  stored?: boolean;
  executable?: boolean;
  symlink?: boolean;
  encrypted?: boolean;
  /** Sizes and CRC follow the content, and are zero in the local header. */
  dataDescriptor?: boolean;
  /** Sizes and offset are in the zip64 field. */
  zip64?: boolean;
  method?: number;
  /** Of the entry in the directory. */
  comment?: string;
  /** Written instead of the correct CRC. */
  crc?: number;
}

/** The bytes of a zip file. */
export function zipBytes(
  members: readonly ZipMember[],
  options: { zip64End?: boolean; comment?: string } = {},
): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const local = localEntry(member);
    directory.push(directoryEntry(member, offset));
    pieces.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...pieces, listed, ...end(members.length, listed.length, offset, options)]);
}

function packed(member: ZipMember) {
  const plain = Buffer.from(member.content);
  const body = member.stored ? plain : deflateRawSync(plain);
  return { plain, body, name: Buffer.from(member.name), crc: member.crc ?? crc32(plain) };
}

function flags(member: ZipMember): number {
  return 0x800 | (member.encrypted ? 1 : 0) | (member.dataDescriptor ? 8 : 0);
}

function method(member: ZipMember): number {
  return member.method ?? (member.stored ? 0 : 8);
}

function localEntry(member: ZipMember): Buffer {
  const { plain, body, name, crc } = packed(member);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags(member), 6);
  header.writeUInt16LE(method(member), 8);
  if (!member.dataDescriptor) {
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(body.length, 18);
    header.writeUInt32LE(plain.length, 22);
  }
  header.writeUInt16LE(name.length, 26);
  // An extra field whose length differs from the one in the directory, as real writers make it.
  const extra = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
  header.writeUInt16LE(extra.length, 28);
  const descriptor = Buffer.alloc(member.dataDescriptor ? 16 : 0);
  if (member.dataDescriptor) {
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(crc, 4);
    descriptor.writeUInt32LE(body.length, 8);
    descriptor.writeUInt32LE(plain.length, 12);
  }
  return Buffer.concat([header, name, extra, body, descriptor]);
}

function directoryEntry(member: ZipMember, offset: number): Buffer {
  const { plain, body, name, crc } = packed(member);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x031e, 4);
  header.writeUInt16LE(flags(member), 8);
  header.writeUInt16LE(method(member), 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(member.zip64 ? 0xffffffff : body.length, 20);
  header.writeUInt32LE(member.zip64 ? 0xffffffff : plain.length, 24);
  header.writeUInt16LE(name.length, 28);
  const mode = member.symlink ? 0o120777 : member.executable ? 0o100755 : 0o100644;
  header.writeUInt32LE(mode * 0x10000, 38);
  header.writeUInt32LE(member.zip64 ? 0xffffffff : offset, 42);
  const extra = Buffer.alloc(member.zip64 ? 28 : 0);
  if (member.zip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(plain.length), 4);
    extra.writeBigUInt64LE(BigInt(body.length), 12);
    extra.writeBigUInt64LE(BigInt(offset), 20);
  }
  header.writeUInt16LE(extra.length, 30);
  const comment = Buffer.from(member.comment ?? '');
  header.writeUInt16LE(comment.length, 32);
  return Buffer.concat([header, name, extra, comment]);
}

function end(
  count: number,
  length: number,
  offset: number,
  options: { zip64End?: boolean; comment?: string },
): Buffer[] {
  const comment = Buffer.from(options.comment ?? '');
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(options.zip64End ? 0xffff : count, 8);
  last.writeUInt16LE(options.zip64End ? 0xffff : count, 10);
  last.writeUInt32LE(options.zip64End ? 0xffffffff : length, 12);
  last.writeUInt32LE(options.zip64End ? 0xffffffff : offset, 16);
  last.writeUInt16LE(comment.length, 20);
  if (!options.zip64End) return [last, comment];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator, last, comment];
}
