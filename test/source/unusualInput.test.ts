import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { countedFindings, describeEndpoint, makeFolder, writeProject } from './checkProject.ts';

const FILE = `from toolkit_sdk import Endpoint
# {comment}
@Endpoint(name="one", workers=(2, 1))
def one(): ...
`;
const ENDPOINT = 'queue | one | a.py:3 | ANY | ? | a:one:4';

async function readOne(content: string | Uint8Array) {
  const reading = await readProject({ root: writeProject({ 'a.py': content }) });
  return {
    endpoints: reading.endpoints.map(describeEndpoint),
    places: countedFindings(reading).map(describePlace),
  };
}

function describePlace({ file, code, range: { start, end } }: Diagnostic): string {
  return `${file} ${code} ${start.line}:${start.character}-${end.line}:${end.character}`;
}

const FOUND = { endpoints: [ENDPOINT], places: ['a.py invalid-workers 2:30-2:36'] };

describe('unusual input', () => {
  const texts: [title: string, content: string | Uint8Array][] = [
    ['a byte order mark', `\uFEFF${FILE}`],
    ['CRLF line ends', FILE.replaceAll('\n', '\r\n')],
    ['lone carriage returns', FILE.replaceAll('\n', '\r')],
    ['text outside the basic plane', FILE.replace('{comment}', '𝒳 日本 ü')],
    [
      'a declared encoding',
      Buffer.from(`# -*- coding: latin-1 -*-\n${FILE.replace('# {comment}\n', '')}# ü`, 'latin1'),
    ],
    ['5 MB', `${FILE}${`x = ["${'some text, '.repeat(20)}", 1]\n`.repeat(22_000)}`],
    [
      'thousands of terms',
      `${FILE}x = ${'1 + '.repeat(20_000)}1\ny = ${'('.repeat(200)}1${')'.repeat(200)}\n`,
    ],
    ['no line end at the end', FILE.trimEnd()],
  ];
  for (const [title, content] of texts) {
    it(`reads a file with ${title}`, async () => assert.deepEqual(await readOne(content), FOUND));
  }

  it('reports more brackets than Python allows, and reads the rest', async () => {
    const { endpoints, places } = await readOne(`${FILE}y = ${'('.repeat(5000)}1${')'.repeat(5000)}\n`);
    assert.deepEqual(endpoints, FOUND.endpoints);
    assert.deepEqual(places, [...FOUND.places, 'a.py syntax-error 4:204-4:205']);
  });

  it('stops at names and values that can be reached in very many ways', async () => {
    const modules = Array.from({ length: 12 }, (_, one) => `m${one}`);
    const stars = modules.map((one): [string, string] => [
      `${one}.py`,
      modules.flatMap((other) => (other === one ? [] : [`from ${other} import *\n`])).join(''),
    ]);
    const twice = (line: (now: number, before: number) => string) =>
      Array.from({ length: 40 }, (_, index) => line(index + 1, index)).join('');
    const root = writeProject({
      ...Object.fromEntries(stars),
      'm11.py': `from m0 import *\nfrom toolkit_sdk import Endpoint\napi = Endpoint(name="api")\n`,
      'a.py': `from toolkit_sdk import Endpoint
from m0 import *
e0 = Endpoint
d0 = ["idna"]
${twice((now, before) => `if x: e${now} = e${before}\nelse: e${now} = e${before}\nd${now} = d${before} + d${before}\n`)}
@api.get("/x")
def route(): ...
@e40(name="alias", workers=1)
def alias(): ...
@Endpoint(name="grown", dependencies=d40)
def grown(): ...
`,
    });
    const { endpoints } = await readProject({ root });
    assert.deepEqual(endpoints.map(describeEndpoint), [
      'queue | alias | a.py:128 | ANY | 0-1 | a:alias:129',
      'queue | grown | a.py:130 | ANY | 0-3 | a:grown:131 | dynamic dependencies',
      'load-balanced | api | m11.py:3 | ANY | 0-3 | GET /x a:route:126',
    ]);
  });

  it('counts columns in UTF-16 code units', async () => {
    const found = await readOne(
      'from toolkit_sdk import Endpoint\n@Endpoint("𝒳", workers=(2, 1))\ndef one(): ...\n',
    );
    assert.deepEqual(found.places, ['a.py invalid-name 1:10-1:14', 'a.py invalid-workers 1:24-1:30']);
  });

  it('reports undecodable bytes in files that contain one of the words, and only there', async () => {
    const bytes = Buffer.concat([Buffer.from(FILE), Buffer.from([0x78, 0x20, 0x3d, 0xff, 0x0a])]);
    assert.deepEqual(await readOne(bytes), { endpoints: [], places: ['a.py unreadable-file 4:0-4:0'] });
    assert.deepEqual(await readOne(Buffer.from([0xff, 0xfe, 0x00])), { endpoints: [], places: [] });
    assert.deepEqual((await readOne(`# coding: uft-8\n${FILE}`)).places, ['a.py unreadable-file 0:0-0:0']);
  });

  it('reports a file in UTF-16 that contains one of the words, with and without a byte order mark', async () => {
    const little = Buffer.from(FILE, 'utf16le');
    const big = Buffer.from(little).swap16();
    const unreadable = { endpoints: [], places: ['a.py unreadable-file 0:0-0:0'] };
    assert.deepEqual(await readOne(Buffer.concat([Buffer.from([0xff, 0xfe]), little])), unreadable);
    assert.deepEqual(await readOne(Buffer.concat([Buffer.from([0xfe, 0xff]), big])), unreadable);
    for (const bytes of [little, big])
      assert.match((await readOne(bytes)).places[0]!, /^a\.py syntax-error 0:/);
    const other = Buffer.from('x = 1\n', 'utf16le');
    assert.deepEqual(await readOne(other), { endpoints: [], places: [] });
  });

  it('lists the first twenty other locations of a name that a hundred functions have', async () => {
    const declared = Array.from({ length: 100 }, (_, at) => `@Endpoint(name="one")\ndef f${at}(): ...\n`);
    const root = writeProject({ 'a.py': `from toolkit_sdk import Endpoint\n${declared.join('')}` });
    const found = (await readProject({ root })).diagnostics.filter(
      ({ code }) => code === 'duplicate-queue-name',
    );
    assert.equal(found.length, 100);
    assert.deepEqual(new Set(found.map(({ related }) => related.length)), new Set([20]));
  });

  it('does not mistake other words for the words of a declaration', async () => {
    assert.deepEqual(await readOne('class MyEndpoint: (\n'), { endpoints: [], places: [] });
    assert.deepEqual(await readOne('Endpoints = (\n'), { endpoints: [], places: [] });
  });

  it('follows links once, never in a circle, and reads no file twice', async () => {
    const outside = makeFolder();
    writeProject({ 'shared.py': FILE.replaceAll('one', 'two') }, outside);
    const root = writeProject({ 'a.py': FILE, 'folder/b.py': '' });
    symlinkSync('..', path.join(root, 'folder', 'up'));
    symlinkSync('folder', path.join(root, 'again'));
    symlinkSync('a.py', path.join(root, 'same.py'));
    symlinkSync(outside, path.join(root, 'outside'));
    symlinkSync('loop', path.join(root, 'loop'));
    symlinkSync('.#editor', path.join(root, '.#a.py'));
    const reading = await readProject({ root });
    assert.deepEqual(
      reading.endpoints.map(({ file }) => file),
      ['a.py', 'outside/shared.py'],
    );
    assert.deepEqual(
      reading.diagnostics.filter(({ code }) => code === 'unreadable-file').map(({ file }) => file),
      ['loop'],
    );
    assert.deepEqual(await reading.shippedFiles(), [
      'a.py',
      'again/b.py',
      'folder/b.py',
      'outside/shared.py',
      'same.py',
    ]);
  });

  it('reports files and folders without permission, and reads the others', async () => {
    const root = writeProject({ 'a.py': FILE, 'secret.py': 'x = 1', 'closed/b.py': '' });
    mkdirSync(path.join(root, 'nothing'));
    chmodSync(path.dirname(root), 0o755);
    chmodSync(path.join(root, 'secret.py'), 0);
    chmodSync(path.join(root, 'closed'), 0);
    const { endpoints, diagnostics, faults } = await readUnprivileged(root, ['secret.py', 'closed']);
    chmodSync(path.join(root, 'closed'), 0o755);
    assert.deepEqual(faults, ['EACCES', 'EACCES'], 'the fault is there');
    assert.deepEqual(endpoints.map(describeEndpoint), [ENDPOINT]);
    assert.deepEqual(diagnostics.map(describePlace), [
      'a.py invalid-workers 2:30-2:36',
      'closed unreadable-file 0:0-0:0',
      'secret.py unreadable-file 0:0-0:0',
    ]);
  });
});

interface Unprivileged {
  endpoints: Endpoint[];
  diagnostics: Diagnostic[];
  /** The result of opening each path. */
  faults: string[];
}

/** Reads in a process that is not root, since root can open everything. */
async function readUnprivileged(root: string, paths: string[]): Promise<Unprivileged> {
  const module = path.resolve(import.meta.dirname, '../../runtime/source/readProject.ts');
  const script = `
    import { openSync, readdirSync, statSync } from 'node:fs';
    const { readProject } = await import(${JSON.stringify(module)});
    // The engine may lie where this user may not look, so it is loaded before.
    const { loadWasmParser } = await import(${JSON.stringify(path.join(path.dirname(module), 'syntax/wasmParser.ts'))});
    await loadWasmParser();
    if (process.getuid?.() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
    const open = (path) => (statSync(path).isDirectory() ? readdirSync(path) : openSync(path));
    const faults = ${JSON.stringify(paths)}.map((path) => {
      try { open(${JSON.stringify(root)} + '/' + path); return 'opened'; } catch (error) { return error.code; }
    });
    const { endpoints, diagnostics } = await readProject({ root: ${JSON.stringify(root)} });
    process.stdout.write(JSON.stringify({ endpoints, diagnostics, faults }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const read = JSON.parse(stdout) as Unprivileged;
  return { ...read, diagnostics: read.diagnostics.filter(({ code }) => code !== 'missing-description') };
}
