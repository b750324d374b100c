/** Wheels → dependencies part: what installers would write, in a tar that every reader accepts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ResumableHash } from '../../runtime/build/resumableHash.ts';
import { spliceWheels } from '../../runtime/build/wheels/spliceWheels.ts';
import { readTar } from './readTar.ts';
import { scratch } from './scratch.ts';
import { type WheelContents, wheelBytes } from './wheels.ts';
import { type ZipMember, zipBytes } from './zipBytes.ts';

/** Every gzip member begins with it: the signature, and the method deflate. */
const GZIP_START = Buffer.from([0x1f, 0x8b, 8]);

interface Unpacked {
  folder: string;
  files: Map<string, { content: string; mode: number }>;
  part: Buffer;
}

async function splice(wheels: readonly (WheelContents | Buffer)[]): Promise<Unpacked> {
  const folder = scratch('splice');
  const local = wheels.map((wheel, index) => {
    const bytes = Buffer.isBuffer(wheel) ? wheel : wheelBytes(wheel);
    const file = path.join(folder, `${index}.whl`);
    writeFileSync(file, bytes);
    const name = Buffer.isBuffer(wheel) ? `wheel${index}` : wheel.name;
    return { name, version: '1.0', path: file, bytes: bytes.length, sha256: hash('sha256', bytes) };
  });
  const target = path.join(folder, 'part.tar.gz');
  const handle = await open(target, 'w');
  const part = await spliceWheels(local, 'deps', handle, new AbortController().signal).finally(() =>
    handle.close(),
  );
  const bytes = readFileSync(target);
  assert.equal(part.bytes, bytes.length);
  assert.equal(part.sha256, hash('sha256', bytes));
  const resumed = await ResumableHash.resume(part.hashState);
  resumed.update(Buffer.from('code'));
  assert.equal(resumed.digest(), hash('sha256', Buffer.concat([bytes, Buffer.from('code')])));
  assert.equal(gunzipSync(bytes).length % 512, 0, 'a part ends on a tar block');
  // The last part of an artifact contains the end of the archive.
  const whole = path.join(folder, 'whole.tar.gz');
  writeFileSync(whole, Buffer.concat([bytes, execFileSync('gzip', ['-c'], { input: Buffer.alloc(1024) })]));
  const out = path.join(folder, 'out');
  execFileSync('mkdir', [out]);
  execFileSync('tar', ['xzf', whole, '-C', out]);
  const files = new Map<string, { content: string; mode: number }>();
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(path.join(out, name));
    if (stat.isFile()) {
      files.set(name, { content: readFileSync(path.join(out, name), 'latin1'), mode: stat.mode & 0o777 });
    }
  }
  assert.deepEqual(
    [...(await readTar(readFileSync(whole)))].map(([name, { content }]) => [name, content.length]).sort(),
    namesAndSizes(files),
  );
  assert.deepEqual(readWithPython(whole), namesAndSizes(files));
  return { folder, files, part: bytes };
}

function namesAndSizes(files: Unpacked['files']): [string, number][] {
  return [...files].map(([name, { content }]): [string, number] => [name, content.length]).sort();
}

function readWithPython(file: string): [string, number][] {
  const script = `
import json, sys, tarfile
with tarfile.open(sys.argv[1]) as tar:
    rows = [[m.name, len(tar.extractfile(m).read())] for m in tar.getmembers()]
print(json.dumps(rows))`;
  return (
    JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' })) as [string, number][]
  ).sort();
}

const LONG = `pkg/${'deep/'.repeat(30)}module_with_a_name.py`;

const READABLE: { title: string; member: ZipMember }[] = [
  { title: 'a deflated file', member: { name: 'pkg/a.py', content: 'x = 1\n'.repeat(500) } },
  { title: 'a stored file', member: { name: 'pkg/a.py', content: 'x = 1\n'.repeat(500), stored: true } },
  {
    title: 'a large stored file',
    member: { name: 'pkg/a.bin', content: Buffer.alloc(3 << 20, 'abc'), stored: true },
  },
  {
    title: 'a large deflated file',
    member: { name: 'pkg/a.bin', content: Buffer.alloc(9 << 20, 'abcdefg') },
  },
  { title: 'an empty file', member: { name: 'pkg/__init__.py', content: '' } },
  { title: 'an empty stored file', member: { name: 'pkg/__init__.py', content: '', stored: true } },
  { title: 'a file of one tar block', member: { name: 'pkg/a.py', content: 'y'.repeat(512) } },
  {
    title: 'a file with a data descriptor',
    member: { name: 'pkg/a.py', content: 'x = 2\n', dataDescriptor: true },
  },
  { title: 'a file with zip64 sizes', member: { name: 'pkg/a.py', content: 'x = 3\n', zip64: true } },
  { title: 'a path longer than 100 bytes', member: { name: LONG, content: 'x = 4\n' } },
  { title: 'a path that is not ASCII', member: { name: 'pkg/größe_日本.txt', content: 'ü' } },
];

for (const { title, member } of READABLE) {
  test(`installs ${title} unchanged`, async () => {
    const { files } = await splice([{ name: 'demo', members: [member] }]);
    const installed = files.get(`deps/${member.name.toString()}`);
    assert.equal(installed?.content, Buffer.from(member.content).toString('latin1'));
    assert.equal(installed.mode, 0o644);
  });
}

test('reads a wheel whose entries have extra fields and comments', async () => {
  const members = ['a', 'b'].map((name) => ({
    name: `${name}.py`,
    content: name,
    zip64: true,
    comment: 'why',
  }));
  const { files } = await splice([{ name: 'demo', members }]);
  assert.deepEqual(
    ['a', 'b'].map((name) => files.get(`deps/${name}.py`)?.content),
    ['a', 'b'],
  );
});

test('reads a wheel whose directory is zip64', async () => {
  const { files } = await splice([{ name: 'demo', files: { 'demo.py': 'x = 1\n' }, zip64End: true }]);
  assert.equal(files.get('deps/demo.py')?.content, 'x = 1\n');
});

test('gives the same bytes each time', async () => {
  const wheels = [
    {
      name: 'demo',
      members: READABLE.slice(0, 3).map(({ member }, index) => ({ ...member, name: `pkg/${index}` })),
    },
  ];
  const [first, second] = [await splice(wheels), await splice(wheels)];
  assert.ok(first.part.equals(second.part));
});

test('writes no date into the gzip members, in which readers could see when a part was made', async () => {
  const { part } = await splice([
    { name: 'demo', files: { 'demo/a.py': 'x = 1\n'.repeat(100), 'demo/b.py': '' } },
  ]);
  const members: Buffer[] = [];
  for (let at = part.indexOf(GZIP_START); at >= 0; at = part.indexOf(GZIP_START, at + 1)) {
    members.push(part.subarray(at, at + 10));
  }
  assert.ok(members.length > 2);
  for (const member of members) {
    // RFC 1952: no flag but that of an extra field, no date, no hint of the compression, an unknown system.
    assert.equal(member[3]! & ~4, 0);
    assert.deepEqual([...member.subarray(4)], [0, 0, 0, 0, 0, 255]);
  }
});

test('keeps the execute bit and makes scripts use the interpreter on PATH', async () => {
  const { files } = await splice([
    {
      name: 'demo',
      files: {
        'demo-1.0.data/scripts/tool': '#!python\nprint(1)\n',
        'demo-1.0.data/scripts/shell': '#!/bin/sh\ntrue\n',
      },
      members: [{ name: 'pkg/native', content: 'elf', executable: true }],
      entryPoints: '[console_scripts]\nrun-demo = demo.main:app.run [extra]\n\n[other]\nx = y:z\n',
    },
  ]);
  assert.deepEqual(files.get('deps/pkg/native'), { content: 'elf', mode: 0o755 });
  assert.deepEqual(files.get('deps/bin/tool'), {
    content: '#!/usr/bin/env python3\nprint(1)\n',
    mode: 0o755,
  });
  assert.deepEqual(files.get('deps/bin/shell'), { content: '#!/bin/sh\ntrue\n', mode: 0o755 });
  const script = files.get('deps/bin/run-demo');
  assert.equal(script?.mode, 0o755);
  assert.match(
    script.content,
    /^#!\/usr\/bin\/env python3\n[^]*from demo\.main import app\n[^]*sys\.exit\(app\.run\(\)\)/,
  );
});

test('puts .data folders where they belong, leaves out headers and compiled files, and records this in RECORD', async () => {
  const { files, folder } = await splice([
    {
      name: 'demo',
      files: {
        'demo-1.0.data/purelib/pure.py': 'a = 1\n',
        'demo-1.0.data/platlib/plat.py': 'b = 1\n',
        'demo-1.0.data/data/share/doc.txt': 'doc',
        'demo-1.0.data/headers/demo.h': 'int x;',
        'pkg/__pycache__/a.cpython-311.pyc': 'compiled',
      },
    },
  ]);
  const names = [...files.keys()].map((name) => name.slice('deps/'.length)).sort();
  assert.deepEqual(names, [
    ...['INSTALLER', 'METADATA', 'RECORD', 'WHEEL'].map((name) => `demo-1.0.dist-info/${name}`),
    'plat.py',
    'pure.py',
    'share/doc.txt',
  ]);
  const script = `
import importlib.metadata as md, json, sys
files = md.Distribution.at(sys.argv[1]).files
print(json.dumps(sorted([str(f), f.hash.value if f.hash else None, f.read_binary().__len__()] for f in files)))`;
  const info = path.join(folder, 'out/deps/demo-1.0.dist-info');
  const recorded = JSON.parse(execFileSync('python3', ['-c', script, info], { encoding: 'utf8' })) as [
    string,
    string | null,
    number,
  ][];
  assert.deepEqual(
    recorded.map(([name]) => name),
    names,
  );
  for (const [name, digest] of recorded) {
    const content = Buffer.from(files.get(`deps/${name}`)!.content, 'latin1');
    if (!name.endsWith('RECORD')) assert.equal(digest, hash('sha256', content, 'base64url'), name);
  }
});

test('accepts two wheels that share a folder or a file with the same bytes', async () => {
  const { files } = await splice([
    { name: 'one', files: { 'shared/__init__.py': '', 'shared/one.py': '1' } },
    { name: 'two', files: { 'shared/__init__.py': '', 'shared/two.py': '2' } },
  ]);
  assert.ok(files.has('deps/shared/one.py') && files.has('deps/shared/two.py'));
});

test('takes files for human readers from the first wheel that has them, since no code reads them', async () => {
  const both = [
    'LICENSE',
    'README.md',
    'NOTICE.txt',
    'namespace/LICENSE-MIT',
    'tests/__init__.py',
    'docs/conf.py',
  ];
  const wheel = (name: string) => ({ name, files: Object.fromEntries(both.map((file) => [file, name])) });
  const { files } = await splice([wheel('one'), wheel('two')]);
  assert.deepEqual(
    both.map((file) => files.get(`deps/${file}`)?.content),
    both.map(() => 'one'),
  );
});

test('writes no script named . or ..', async () => {
  const { files } = await splice([
    { name: 'demo', entryPoints: '[console_scripts]\n.. = demo:main\n. = demo:main\n..fine = demo:main\n' },
  ]);
  const scripts = [...files.keys()].filter((name) => !name.startsWith('deps/demo-1.0.dist-info/'));
  assert.deepEqual(scripts, ['deps/bin/..fine']);
});

const wheelWith = (member: Partial<ZipMember>): WheelContents => ({
  name: 'bad',
  members: [{ name: 'pkg/a.py', content: 'x = 1\n', ...member }],
});

const REFUSED: { title: string; wheels: (WheelContents | Buffer)[]; says: RegExp }[] = [
  {
    title: 'a path that leaves the folder',
    wheels: [wheelWith({ name: '../a.py' })],
    says: /contains the file name "\.\.\/a\.py", which is not allowed/,
  },
  { title: 'an absolute path', wheels: [wheelWith({ name: '/etc/a.py' })], says: /not allowed/ },
  {
    title: 'a path with a backslash',
    wheels: [wheelWith({ name: String.raw`..\a.py` })],
    says: /not allowed/,
  },
  { title: 'a drive letter', wheels: [wheelWith({ name: 'C:a.py' })], says: /not allowed/ },
  { title: 'a NUL in a path', wheels: [wheelWith({ name: 'a\0.py' })], says: /not allowed/ },
  { title: 'a line break in a path', wheels: [wheelWith({ name: 'a\n.py' })], says: /not allowed/ },
  { title: 'an empty path segment', wheels: [wheelWith({ name: 'pkg//a.py' })], says: /not allowed/ },
  {
    title: 'a path that is not UTF-8',
    wheels: [wheelWith({ name: Buffer.from([0x61, 0xff]) })],
    says: /not UTF-8/,
  },
  {
    title: 'an absolute path under .data',
    wheels: [wheelWith({ name: 'bad-1.0.data/data//etc/a' })],
    says: /not allowed/,
  },
  { title: 'an empty zip file', wheels: [zipBytes([])], says: /exactly one \.dist-info folder/ },
  { title: 'a symbolic link', wheels: [wheelWith({ symlink: true })], says: /link or a device/ },
  { title: 'an encrypted file', wheels: [wheelWith({ encrypted: true })], says: /encrypted/ },
  { title: 'an unknown compression', wheels: [wheelWith({ method: 12 })], says: /method 12/ },
  {
    title: 'a stored file with a wrong CRC',
    wheels: [wheelWith({ stored: true, crc: 1 })],
    says: /its file "pkg\/a\.py" is damaged/,
  },
  {
    title: 'a large stored file with a wrong CRC',
    wheels: [wheelWith({ content: Buffer.alloc(3 << 20, 'x'), stored: true, crc: 1 })],
    says: /its file "pkg\/a\.py" is damaged/,
  },
  { title: 'a file that is not a zip', wheels: [Buffer.from('<html>'.repeat(50))], says: /not a zip file/ },
  {
    title: 'a truncated zip',
    wheels: [wheelBytes(wheelWith({})).subarray(0, -30)],
    says: /not a zip file/,
  },
  {
    title: 'a wheel of an unknown format',
    wheels: [{ name: 'bad', wheelVersion: '2.0' }],
    says: /wheel version 2 is not supported/,
  },
  {
    title: 'two wheels with different content at one path',
    wheels: [
      { name: 'one', files: { 'same.py': '1' } },
      { name: 'two', files: { 'same.py': '2' } },
    ],
    says: /The wheel of one 1\.0 and that of two 1\.0 both write "same\.py"/,
  },
  {
    title: 'two wheels whose code has the name of a license',
    wheels: [
      { name: 'one', files: { 'license.py': '1' } },
      { name: 'two', files: { 'license.py': '2' } },
    ],
    says: /both write "license\.py"/,
  },
  {
    title: 'two wheels whose data has the name of a page for readers',
    wheels: [
      { name: 'one', files: { 'shared/news.csv': '1' } },
      { name: 'two', files: { 'shared/news.csv': '2' } },
    ],
    says: /both write "shared\/news\.csv"/,
  },
  {
    title: 'a file where another wheel has a folder',
    wheels: [
      { name: 'one', files: { 'same/a.py': '1' } },
      { name: 'two', files: { same: '2' } },
    ],
    says: /both write "same"/,
  },
];

for (const { title, wheels, says } of REFUSED) {
  test(`refuses ${title}`, async () => {
    await assert.rejects(splice(wheels), { name: 'ToolkitError', code: 'WHEEL_INVALID', message: says });
  });
}
