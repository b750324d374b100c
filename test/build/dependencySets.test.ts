/** Endpoints whose pins conflict get their own sets in lock, artifact and manifest. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { divideSets } from '../../runtime/build/dependencies/divideSets.ts';
import { conflictError } from '../../runtime/build/dependencies/requirementConflict.ts';
import type { RequirementSet } from '../../runtime/build/dependencies/requirements.ts';
import {
  listArchive,
  makeProject,
  NO_REQUIREMENTS,
  queueWorker,
  readArchived,
  WORKER_WHEELS,
} from './projects.ts';
import type { WheelContents } from './wheels.ts';

const demo = (version: string): WheelContents => ({
  name: 'demo',
  version,
  files: { 'demo.py': `version = "${version}"\n` },
});
const WHEELS = [
  ...WORKER_WHEELS,
  demo('1.0'),
  demo('2.0'),
  { name: 'outer', files: { 'outer.py': '' }, requires: ['demo>=2'] },
  { name: 'six', version: '0.5', files: { 'six.py': 'old = True\n' } },
  { name: 'six', files: { 'six.py': '' } },
  { name: 'numpy', version: '1.26', files: { 'numpy.py': '' } },
];

function filesOf(endpoints: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, dependencies]) => [
      `${name}.py`,
      queueWorker(name, `dependencies=${JSON.stringify(dependencies)}`),
    ]),
  );
}

/** A project of queue-based endpoints: name → its dependencies. */
function projectOf(endpoints: Record<string, string[]>, more: Record<string, string> = {}) {
  return makeProject({ ...filesOf(endpoints), ...more }, WHEELS);
}

function setsOf(project: ReturnType<typeof makeProject>): Record<string, string> {
  return Object.fromEntries(
    Object.values(project.manifest()).map(({ name, dependencySet }) => [name, dependencySet]),
  );
}

const CASES: {
  title: string;
  endpoints: Record<string, string[]>;
  sets: Record<string, string>;
}[] = [
  {
    title: 'two pins of one package, while the others keep the common set',
    endpoints: { a: ['demo==1.0'], b: ['demo==2.0'], c: ['six'] },
    sets: { a: 'for-a', b: 'for-b', c: 'all' },
  },
  {
    title: 'two pins of one package, while an endpoint that accepts any version keeps the common set',
    endpoints: { a: ['demo==1.0'], b: ['demo==2.0'], c: ['demo ; python_version > "3"'] },
    sets: { a: 'for-a', b: 'for-b', c: 'all' },
  },
  {
    title: "a pin that conflicts with another package's requirement",
    endpoints: { a: ['demo==1.0'], b: ['outer'], c: [] },
    sets: { a: 'for-a', b: 'for-b', c: 'all' },
  },
  {
    title: 'several endpoints with the same pins, which share a set',
    endpoints: { a: ['demo==1.0'], b: ['demo==1.0'], c: ['demo==2.0'] },
    sets: { a: 'for-a', b: 'for-a', c: 'for-c' },
  },
  {
    title: 'two conflicts at once',
    endpoints: { a: ['demo==1.0'], b: ['demo==2.0'], c: ['six==1.0'], d: ['six<1'], e: [] },
    sets: { a: 'for-a', b: 'for-b', c: 'for-c', d: 'for-d', e: 'all' },
  },
];
for (const { title, endpoints, sets } of CASES) {
  test(`separate sets are made for ${title}`, async () => {
    const project = projectOf(endpoints);
    await project.build();
    assert.deepEqual(setsOf(project), sets);
  });
}

test('an artifact with several sets has a folder and a part for each, and reports them', async () => {
  const project = projectOf({ a: ['demo==1.0'], b: ['demo==2.0', 'numpy'], c: ['six'] });
  const built = await project.build();
  const names = listArchive(built.artifact);
  for (const name of ['for-a/demo.py', 'for-b/demo.py', 'all/six.py']) {
    assert.ok(names.includes(`_toolkit/dependencies/${name}`), name);
  }
  assert.equal(readArchived(built.artifact, '_toolkit/dependencies/for-a/demo.py'), 'version = "1.0"\n');
  assert.equal(readArchived(built.artifact, '_toolkit/dependencies/for-b/demo.py'), 'version = "2.0"\n');
  assert.deepEqual(
    built.parts.map(({ role, dependencySet }) => [role, dependencySet]),
    [
      ['dependencies', 'all'],
      ['dependencies', 'for-a'],
      ['dependencies', 'for-b'],
      ['code', null],
    ],
  );
  const bytes = readFileSync(built.artifact);
  for (const part of built.parts) {
    assert.equal(hash('sha256', bytes.subarray(part.offset, part.offset + part.size)), part.sha256);
  }
  assert.equal(built.sha256, hash('sha256', bytes));
  assert.equal(
    readArchived(built.artifact, 'requirements.txt'),
    '# all: c\nsix==1.0\n\n# for-a: a\ndemo==1.0\n\n# for-b: b\ndemo==2.0\nnumpy==1.26\n',
  );
  const { a, b } = project.manifest();
  assert.deepEqual([a!.excluded, b!.excluded, b!.baseLayer], [[], ['numpy'], ['numpy==1.26']]);
  assert.ok(
    built.events.some(
      (event) => event.type === 'warning' && event.message.startsWith('The requirements of a, b conflict'),
    ),
  );
});

test('the lock of several sets builds the same artifact again, without an index', async () => {
  const project = projectOf({ a: ['demo==1.0'], b: ['demo==2.0'], c: ['six'] });
  const first = await project.build();
  const lock = readFileSync(path.join(project.root, 'pylock.toml'), 'utf8');
  const again = await project.build({ env: { PATH: '' } });
  assert.equal(again.sha256, first.sha256);
  assert.equal(readFileSync(path.join(project.root, 'pylock.toml'), 'utf8'), lock);
});

test('other installers can read a lock with several sets, one set at a time', async () => {
  const project = projectOf({ a: ['demo==1.0', 'six'], b: ['demo==2.0', 'six'], c: ['six'] });
  await project.build();
  const lock = path.join(project.root, 'pylock.toml');
  const { packages } = parse(readFileSync(lock, 'utf8'));
  assert.ok(Array.isArray(packages) && packages.length === 3, 'six is listed once');
  const uv = path.join(project.home, 'cache/uv/bin/uv');
  for (const [set, version] of [
    ['for-a', '1.0'],
    ['for-b', '2.0'],
  ] as const) {
    const target = path.join(project.home, `target-${set}`);
    const args = ['pip', 'install', '--quiet', '--target', target, '-r', lock, '--group', set];
    execFileSync(uv, args, { env: project.env, cwd: project.root });
    assert.equal(readFileSync(path.join(target, 'demo.py'), 'utf8'), `version = "${version}"\n`);
  }
});

test('pins that swap endpoints are resolved again, and pins that agree again share the common set', async () => {
  const project = projectOf({ a: ['demo==1.0'], b: ['demo==2.0'] });
  const first = await project.build();
  project.write(filesOf({ a: ['demo==2.0'], b: ['demo==1.0'] }));
  const swapped = await project.build();
  assert.notEqual(swapped.sha256, first.sha256);
  assert.equal(readArchived(swapped.artifact, '_toolkit/dependencies/for-a/demo.py'), 'version = "2.0"\n');
  project.write(filesOf({ a: ['demo==2.0'], b: ['demo'] }));
  await project.build();
  assert.deepEqual(setsOf(project), { a: 'all', b: 'all' });
  assert.doesNotMatch(readFileSync(path.join(project.root, 'pylock.toml'), 'utf8'), /marker|groups/);
});

test('reports an endpoint whose own pins conflict, whatever the other endpoints require', async () => {
  const project = projectOf({ a: ['demo==1.0', 'demo==2.0'], b: ['six'], c: ['demo==2.0'] });
  await assert.rejects(project.build(), {
    code: 'DEPENDENCY_CONFLICT',
    message:
      /demo==1\.0 \(required by the endpoint "a" \(a\.py:4\)\) and demo==2\.0 \(required by the endpoint "a"/,
  });
});

test('reports conflicting pins without the requirements that accept any version', async () => {
  const project = projectOf({ a: ['demo==1.0', 'demo==2.0', 'demo'], b: ['demo'] });
  await assert.rejects(project.build(), {
    code: 'DEPENDENCY_CONFLICT',
    message:
      'These requirements conflict: demo==1.0 (required by the endpoint "a" (a.py:4)) and demo==2.0 (required by the endpoint "a" (a.py:4)).',
  });
});

test('reports a pin that conflicts with requirements.txt, with both locations, since no set can satisfy it', async () => {
  const project = projectOf({ a: ['demo==1.0'], b: ['six'] }, { 'requirements.txt': 'demo==2.0\n' });
  await assert.rejects(project.build(), {
    code: 'DEPENDENCY_CONFLICT',
    message:
      /demo==1\.0 \(required by the endpoint "a" \(a\.py:4\)\) and demo==2\.0 \(required by requirements\.txt:1\)/,
  });
});

test('a conflict that names no package is split down to one endpoint per set', async () => {
  const app = { endpoints: ['a', 'b', 'c'], of: (names: readonly string[]) => setFor(names) };
  const asked: string[] = [];
  const sets = await divideSets(app, (name, set) => {
    const names = set.requirements.map((one) => one.name);
    asked.push(`${name}: ${names.join(' ')}`);
    return names.length > 1 ? Promise.reject(conflictError(new Set(), set)) : Promise.resolve(names);
  });
  assert.deepEqual(asked, ['all: a b c', 'for-a: a', 'for-b: b', 'for-c: c']);
  assert.deepEqual(
    sets.map(({ name, endpoints }) => [name, endpoints]),
    [
      ['for-a', ['a']],
      ['for-b', ['b']],
      ['for-c', ['c']],
    ],
  );
});

/** A set with one requirement, named like the endpoint, for each endpoint. */
function setFor(names: readonly string[]): RequirementSet {
  const requirements = names.map((name) => ({ text: name, name, origins: [{ who: name, endpoint: name }] }));
  return { ...NO_REQUIREMENTS, requirements };
}
