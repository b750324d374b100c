/**
 * An artifact over 1.5 GB, reported with its largest packages. The wheel is a sparse file: it takes no disk
 * space.
 */
import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { crc32 } from 'node:zlib';
import { workbench } from '../setup/toolkit.ts';

const SIZE = 1_600_000_000;

it('refuses an artifact over 1.5 GB, lists the largest packages and advises --exclude, which then builds', async (t) => {
  const bench = workbench(t);
  const links = path.join(bench.folder, 'links');
  mkdirSync(links);
  const wheel = path.join(links, 'huge-1.0-py3-none-any.whl');
  writeHoleWheel(wheel);
  const { size, blocks } = statSync(wheel);
  assert.ok(size > SIZE && blocks * 512 < 1_000_000, 'the wheel is large and sparse');
  const project = bench.project('big', {
    'pyproject.toml': '',
    'one.py':
      'from toolkit_sdk import Endpoint\n\n@Endpoint(name="one", cpu="cpu3c-1-2", dependencies=["huge", "six"])\ndef one(x: int):\n    """One."""\n',
  });
  const env = { PIP_FIND_LINKS: links };

  const refused = await bench.toolkit(project, ['build', '--json'], { env });
  assert.equal(refused.code, 1);
  const { error } = refused.json<{ error: { code: string; message: string; hint: string } }>();
  assert.equal(error.code, 'ARTIFACT_TOO_LARGE');
  assert.match(error.message, /1\.5 GB.*largest packages are huge 1\.0 \(1600 MB\)/);
  assert.match(error.hint, /--exclude huge/);
  assert.deepEqual(readdirSync(path.join(project, '.toolkit')), []);

  const built = await bench.toolkit(project, ['build', '--json', '--exclude', 'huge'], { env });
  assert.equal(built.code, 0, built.stderr);
  assert.deepEqual(built.json<{ excluded: string[] }>().excluded, ['huge']);
});

/** A wheel whose largest member is a hole in the file: zeros that were never written. */
function writeHoleWheel(file: string): void {
  const metadata = 'Metadata-Version: 2.1\nName: huge\nVersion: 1.0\n';
  const tags = 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n';
  const members: [string, string | null][] = [
    ['huge/data.bin', null],
    ['huge/__init__.py', ''],
    ['huge-1.0.dist-info/METADATA', metadata],
    ['huge-1.0.dist-info/WHEEL', tags],
    ['huge-1.0.dist-info/RECORD', ''],
  ];
  const handle = openSync(file, 'w');
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of members) {
    const size = text === null ? SIZE : Buffer.byteLength(text);
    const crc = text === null ? crcOfZeros(SIZE) : crc32(text);
    directory.push(header(0x02014b50, [20, 20], crc, size, name, [0, 0, 0], at));
    at += writeSync(handle, header(0x04034b50, [20], crc, size, name, [], null), 0, undefined, at);
    if (text) writeSync(handle, text, at);
    at += size;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  writeSync(handle, Buffer.concat([index, end]), 0, undefined, at);
  closeSync(handle);
}

/** A local header, or a central one with `offset`: versions, flags, method, time, date, crc, sizes, name. */
function header(
  signature: number,
  versions: number[],
  crc: number,
  size: number,
  name: string,
  more: number[],
  offset: number | null,
): Buffer {
  const bytes: number[] = [];
  const u16 = (value: number): void => void bytes.push(value & 255, value >>> 8);
  const u32 = (value: number): void => (u16(value & 0xffff), u16(value >>> 16));
  u32(signature);
  for (const version of versions) u16(version);
  for (const value of [0, 0, 0, 0x21]) u16(value);
  for (const value of [crc, size, size]) u32(value);
  u16(name.length);
  u16(0);
  for (const value of more) u16(value);
  if (offset !== null) {
    u32((0o644 << 16) >>> 0);
    u32(offset);
  }
  return Buffer.concat([Buffer.from(bytes), Buffer.from(name)]);
}

function crcOfZeros(size: number): number {
  const block = Buffer.alloc(1 << 20);
  let crc = 0;
  for (let left = size; left > 0; left -= block.length) {
    crc = crc32(left < block.length ? block.subarray(0, left) : block, crc);
  }
  return crc;
}
