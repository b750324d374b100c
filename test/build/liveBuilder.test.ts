/** Builds after each save: the parts that workers put on top of each other equal a full build. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArtifactPart } from '../../runtime/build/buildProject.ts';
import { LiveBuilder } from '../../runtime/build/LiveBuilder.ts';
import type { ProjectReading } from '../../runtime/source/reading.ts';
import { readProject } from '../../runtime/source/readProject.ts';
import { packageIndex } from './packageIndex.ts';
import { makeProject, type Project, queueWorker, shareUv } from './projects.ts';
import { readTar } from './readTar.ts';
import { scratch } from './scratch.ts';
import { writeWheel } from './wheels.ts';

const { signal } = new AbortController();

const CALLS_ONE =
  'from toolkit_sdk import Endpoint\nfrom one import one\n\n@Endpoint(name="two", cpu="cpu3c-1-2")\ndef two(text: str):\n    return one(text)\n';

async function open({ root, home, env }: Project) {
  const settings = { toolkitHome: home, env, exclude: [], upgrade: false };
  const builder = await LiveBuilder.open(root, scratch('live'), settings);
  return {
    close: () => builder.close(),
    build: async (skipped: ReadonlySet<string> = new Set(), overtaken: AbortSignal = signal) =>
      builder.build(await readProject({ root }), { report: () => {}, signal, skipped, overtaken }),
    /** Builds what was read before. */
    buildOf: (reading: ProjectReading) =>
      builder.build(reading, { report: () => {}, signal, skipped: new Set(), overtaken: signal }),
  };
}

const bytesOf = ({ file, offset, size }: ArtifactPart) => readFileSync(file).subarray(offset, offset + size);

/** The files of a worker after it has put the code parts on top of each other. */
async function laidOver(parts: readonly ArtifactPart[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const part of parts.filter(({ role }) => role === 'code')) {
    const tar = await readTar(bytesOf(part));
    const removed = tar.get('_toolkit/removed.json');
    tar.delete('_toolkit/removed.json');
    if (removed) for (const name of JSON.parse(removed.content.toString()) as string[]) files.delete(name);
    for (const [name, { content, mode }] of tar) files.set(name, `${mode} ${content.toString('base64')}`);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function wholeBuild(project: Project): Promise<Map<string, string>> {
  const { parts } = await project.build();
  return laidOver(parts);
}

test('a save sends what has changed, and nothing when nothing has changed', async () => {
  const project = makeProject({
    'one.py': queueWorker('one'),
    'two.py': queueWorker('two'),
    'data.bin': 'x'.repeat(9_000),
  });
  const live = await open(project);
  const first = await live.build();
  assert.equal(first.parts.filter(({ role }) => role === 'code').length, 1);
  assert.deepEqual(await live.build(), first);

  project.write({ 'one.py': queueWorker('one', '', 'return text + "!"') });
  const second = await live.build();
  const [base, change] = second.parts.filter(({ role }) => role === 'code');
  assert.deepEqual(
    base,
    first.parts.find(({ role }) => role === 'code'),
  );
  assert.deepEqual([...(await readTar(bytesOf(change!))).keys()].sort(), ['one.py', 'toolkit_manifest.json']);
  const changed = (name: string) =>
    [first, second].map(({ app }) => app.find((endpoint) => endpoint.name === name)!.fingerprint.code);
  assert.notEqual(...(changed('one') as [string, string]));
  assert.equal(...(changed('two') as [string, string]));
  await live.close();
});

test('an excluded endpoint still counts toward the requirements of its callees, so that these stay the same', async () => {
  const project = makeProject({ 'one.py': queueWorker('one'), 'two.py': CALLS_ONE });
  const live = await open(project);
  const one = ({ app }: Awaited<ReturnType<typeof live.build>>) => app.find(({ name }) => name === 'one');
  const whole = one(await live.build());
  assert.deepEqual(one(await live.build(new Set(['two']))), whole);
  await live.close();
});

test('after any saves, moves and removals, the parts equal those of a full build', async () => {
  const project = makeProject({ 'one.py': queueWorker('one'), 'pkg/__init__.py': '', 'pkg/a.py': 'A = 1\n' });
  const live = await open(project);
  const at = (name: string) => path.join(project.root, name);
  const steps: (() => void)[] = [
    () => project.write({ 'pkg/a.py': 'A = 2\n' }),
    () => project.write({ 'two.py': queueWorker('two'), 'pkg/b.py': 'B = 1\n' }),
    () => rmSync(at('pkg/b.py')),
    () => renameSync(at('two.py'), at('three.py')),
    () => {
      rmSync(at('pkg'), { recursive: true });
      project.write({ 'pkg.py': 'A = 3\n' });
    },
    () => {
      rmSync(at('pkg.py'));
      mkdirSync(at('pkg'));
      project.write({ 'pkg/__init__.py': 'A = 4\n' });
    },
    () => writeFileSync(at('run.sh'), '#!/bin/sh\n', { mode: 0o755 }),
    () => project.write({ '.toolkitignore': 'run.sh\n' }),
    () =>
      project.write({
        'large.bin': Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => (at * at * 31) % 251)),
      }),
    () => project.write({ 'one.py': queueWorker('renamed') }),
    () => rmSync(at('large.bin')),
  ];
  for (const step of [() => {}, ...steps]) {
    step();
    assert.deepEqual(await laidOver((await live.build()).parts), await wholeBuild(project));
  }
  await live.close();
});

test('dependencies are installed again only when they have changed', async () => {
  const wheels = [{ name: 'small', version: '1.0', files: { 'small.py': 'x = 1\n' } }];
  const project = makeProject({ 'one.py': queueWorker('one', 'dependencies=["small"]') }, wheels);
  const live = await open(project);
  const sets = ({ parts }: { parts: readonly ArtifactPart[] }) =>
    parts.filter(({ role }) => role === 'dependencies').map(({ content }) => content);
  const first = sets(await live.build());
  assert.equal(first.length, 1);
  project.write({ 'one.py': queueWorker('one', 'dependencies=["small"]', 'return 1') });
  assert.deepEqual(sets(await live.build()), first);
  project.write({ 'one.py': queueWorker('one') });
  assert.deepEqual(sets(await live.build()), []);
  await live.close();
});

test('a wheel of the project that is rebuilt under the same version is installed again', async () => {
  const project = makeProject({ 'one.py': queueWorker('one', 'dependencies=["small"]') }, []);
  const rebuild = (code: string) =>
    writeWheel(path.join(project.root, 'wheels'), { name: 'small', files: { 'small.py': code } });
  project.write({ 'requirements.txt': '--find-links wheels\n' });
  rebuild('x = 1\n');
  await shareUv(project.home);
  const live = await open(project);
  const content = async () => (await live.build()).parts.find(({ role }) => role === 'dependencies')?.content;
  const first = await content();
  rebuild('x = 2\n');
  assert.notEqual(await content(), first);
  await live.close();
});

test('requirements follow the code that was read, even if a file has been emptied since', async () => {
  const both = queueWorker('one') + queueWorker('two', '', 'return one(text)');
  const project = makeProject({ 'both.py': both });
  const reading = await readProject({ root: project.root });
  project.write({ 'both.py': '' });
  const live = await open(project);
  const { parts } = await live.buildOf(reading);
  // The call needs a package.
  assert.deepEqual(
    parts.map(({ role }) => role),
    ['dependencies', 'code'],
  );
  await live.close();
});

test('an installation continues if a newer build needs the same packages, and is aborted if it needs others', async (t) => {
  const held: (() => void)[] = [];
  const index = await packageIndex({
    onFile: (name, response, bytes) => {
      if (name.startsWith('slow')) held.push(() => response.end(bytes));
      return name.startsWith('slow');
    },
  });
  t.after(() => index.close());
  for (const name of ['slow', 'other']) index.add({ name, files: { [`${name}.py`]: 'x = 1\n' } });
  const project = makeProject({ 'one.py': queueWorker('one') });
  await shareUv(project.home);
  project.env = { ...project.env, PIP_EXTRA_INDEX_URL: index.url, PIP_NO_INDEX: undefined };
  const live = await open(project);
  const asks = async (count: number) => {
    while (held.length < count) await sleep(10);
  };
  const overtake = async (downloads: number) => {
    const overtaking = new AbortController();
    const overtaken = live.build(new Set(), overtaking.signal);
    const left = assert.rejects(overtaken, (error) => error === overtaking.signal.reason);
    await asks(downloads);
    overtaking.abort();
    await left;
  };
  const needs = (name: string, body?: string) =>
    project.write({ 'one.py': queueWorker('one', `dependencies=["${name}"]`, body) });

  needs('slow');
  await overtake(1);
  needs('other');
  const { parts } = await live.build();
  assert.ok(parts.some(({ role }) => role === 'dependencies'));

  needs('slow');
  await overtake(2);
  // The first build has written the lock, so the next one starts again, from this lock.
  await overtake(3);
  needs('slow', 'return text + "!"');
  await overtake(3);
  const last = live.build();
  held.at(-1)!();
  assert.ok((await last).parts.some(({ role }) => role === 'dependencies'));
  assert.equal(held.length, 3);
  await live.close();
});
