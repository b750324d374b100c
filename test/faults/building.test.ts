/** Real faults during a build, and what the next build finds. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PackageIndex, packageIndex } from '../build/packageIndex.ts';
import { makeProject, type Project, queueWorker } from '../build/projects.ts';
import { scratch } from '../build/scratch.ts';
import { type WheelContents, wheelName, writeWheel } from '../build/wheels.ts';
import { cleanEnvironment, cli } from '../setup/toolkit.ts';
import { fillDisk, readOnly, smallDisk } from './mounts.ts';

const DEMO = { name: 'demo', files: { 'demo.py': 'x = 1\n' } };

/** A project with one endpoint, built by the command in a separate process. */
class Bench {
  readonly project: Project;
  readonly env: NodeJS.ProcessEnv;

  constructor(dependencies: string[], wheels: WheelContents[] = [DEMO]) {
    const text = queueWorker('one', `dependencies=${JSON.stringify(dependencies)}`);
    this.project = makeProject({ 'worker.py': text }, wheels);
    this.env = { ...cleanEnvironment(), ...this.project.env, TOOLKIT_HOME: this.project.home };
    mkdirSync(path.join(this.home, 'cache'), { recursive: true });
    symlinkSync(path.join(import.meta.dirname, '../../.cache/uv'), path.join(this.home, 'cache/uv'));
  }

  get root(): string {
    return this.project.root;
  }

  get home(): string {
    return this.project.home;
  }

  get artifact(): string {
    return path.join(this.root, '.toolkit/artifact.tar.gz');
  }

  start(env: NodeJS.ProcessEnv = {}, before: string[] = []): ChildProcess {
    const [file = '', ...args] = [...before, process.execPath, cli, 'build', '--json'];
    return spawn(file, args, {
      cwd: this.root,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async build(env: NodeJS.ProcessEnv = {}, before: string[] = []): Promise<Ended> {
    return ended(this.start(env, before));
  }

  async built(): Promise<string> {
    const { code, stderr, document } = await this.build();
    assert.equal(code, 0, stderr + JSON.stringify(document));
    return document.sha256;
  }

  /** Everything unfinished that a build can leave behind. */
  leftovers(): string[] {
    const unfinished = ['*.tmp', '*.part', 'building/*', '*.source'].flatMap((name) =>
      globSync(`cache/**/${name}`, { cwd: this.home }),
    );
    return [...unfinished, ...globSync(['.toolkit/.build', '*.tmp', '.toolkit/*.tmp'], { cwd: this.root })];
  }
}

interface Ended {
  code: number | null;
  stderr: string;
  document: { sha256: string; error: { code: string; message: string; hint: string } };
}

async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr, document: stdout === '' ? {} : JSON.parse(stdout) };
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (isSo()) return;
    await sleep(5);
  }
  assert.fail(`never came: ${what}`);
}

function sha256Of(file: string): string {
  return hash('sha256', readFileSync(file));
}

// uv is installed once for all tests, by the first build.
before(() => new Bench(['demo']).project.build());

const UNFIT: {
  title: string;
  dependencies: string[];
  wheels: WheelContents[];
  code: string;
  says: RegExp;
}[] = [
  {
    title: 'a dependency that does not exist is named with what requires it',
    dependencies: ['absent'],
    wheels: [],
    code: 'DEPENDENCY_UNRESOLVED',
    says: /^absent \(required by the endpoint "one" \(worker\.py:4\)\) does not exist in the package index\.$/,
  },
  {
    title: 'a dependency without a wheel for the target is named with the machine that artifacts run on',
    dependencies: ['demo'],
    wheels: [{ name: 'demo', tag: 'cp311-cp311-win_amd64' }],
    code: 'DEPENDENCY_NO_WHEEL',
    says: /^demo \(required by the endpoint "one" \(worker\.py:4\)\) has no wheel for Python 3\.11 on Linux x86_64/,
  },
  {
    title: 'a conflict between pins of one endpoint names both',
    dependencies: ['demo==1.0', 'demo==2.0'],
    wheels: [DEMO, { ...DEMO, version: '2.0' }],
    code: 'DEPENDENCY_CONFLICT',
    says: /demo==1\.0 \(required by the endpoint "one" \(worker\.py:4\)\) and demo==2\.0 \(required by the endpoint "one"/,
  },
];
for (const { title, dependencies, wheels, code, says } of UNFIT) {
  test(title, async () => {
    const bench = new Bench(dependencies, wheels);
    const { code: exit, document } = await bench.build();
    assert.equal(exit, 1);
    assert.equal(document.error.code, code);
    assert.match(document.error.message, says);
    assert.ok(document.error.hint);
    assert.deepEqual(bench.leftovers(), []);
  });
}

describe('a read-only project folder', () => {
  test('is named, with the hint', async (t) => {
    const bench = new Bench([]);
    readOnly(t, bench.root);
    const { code, document } = await bench.build();
    assert.equal(code, 1);
    assert.equal(document.error.code, 'NOT_WRITABLE');
    assert.equal(
      document.error.message,
      `${path.join(bench.root, '.toolkit')} cannot be written: the disk is read-only.`,
    );
    assert.match(document.error.hint, /another disk for the project/);
  });

  test('of another user is named, with the hint', async (t) => {
    const bench = new Bench([]);
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    chmodSync(path.dirname(bench.root), 0o755);
    const home = path.join(scratch(), 'home');
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const probe = spawn(nobody[0]!, [...nobody.slice(1), 'touch', path.join(bench.root, 'probe')]);
    const [refused] = (await once(probe, 'close')) as [number];
    assert.notEqual(refused, 0, 'the folder cannot be written by the user nobody: run the tests as root');
    const { document } = await bench.build({ TOOLKIT_HOME: home }, nobody);
    assert.equal(document.error.code, 'NOT_WRITABLE');
    assert.equal(
      document.error.message,
      `${path.join(bench.root, '.toolkit')} cannot be written: permission denied.`,
    );
  });

  test('with a writable .toolkit builds, and warns that the lock is not kept', async (t) => {
    const bench = new Bench(['demo']);
    mkdirSync(path.join(bench.root, '.toolkit'));
    readOnly(t, bench.root);
    smallDisk(t, path.join(bench.root, '.toolkit'), 16 << 20);
    const { code, stderr } = await bench.build();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /pylock\.toml cannot be written, so the next build resolves again/);
  });
});

describe('a read-only TOOLKIT_HOME', () => {
  test('is enough for a build whose wheels and parts are cached', async (t) => {
    const bench = new Bench(['demo']);
    const good = await bench.built();
    readOnly(t, bench.home);
    assert.equal(await bench.built(), good);
  });

  test('is named when something must be stored in it', async (t) => {
    const bench = new Bench(['demo']);
    readOnly(t, bench.home);
    const { code, document } = await bench.build();
    assert.equal(code, 1);
    assert.equal(document.error.code, 'NOT_WRITABLE');
    assert.equal(
      document.error.message,
      `${path.join(bench.home, 'cache/wheels')} cannot be written: the disk is read-only.`,
    );
    assert.match(document.error.hint, /another disk for the project or TOOLKIT_HOME/);
  });
});

describe('a cache of uv that cannot be written', () => {
  const HINT = 'Make this folder writable, or set UV_CACHE_DIR to another one.';
  const CASES: { title: string; why: string; spoil(t: TestContext, cache: string): void }[] = [
    {
      title: 'its disk is read-only',
      why: 'the disk is read-only',
      spoil: (t, cache) => {
        mkdirSync(cache);
        readOnly(t, cache);
      },
    },
    {
      title: 'a file has its name',
      why: 'it is a file, not a folder',
      spoil: (_t, cache) => writeFileSync(cache, ''),
    },
  ];
  for (const { title, why, spoil } of CASES) {
    test(`is named, with the hint, if ${title}`, async (t) => {
      const bench = new Bench(['demo']);
      const cache = path.join(bench.home, 'uv-cache');
      spoil(t, cache);
      const { code, document } = await bench.build({ UV_CACHE_DIR: cache });
      assert.equal(code, 1);
      assert.deepEqual(
        [document.error.code, document.error.message, document.error.hint],
        ['NOT_WRITABLE', `uv's cache ${cache} cannot be written: ${why}.`, HINT],
      );
    });
  }

  test('is named, with the hint, if its disk becomes read-only', async (t) => {
    const bench = new Bench(['demo']);
    const cache = path.join(bench.home, 'uv-cache');
    await bench.build({ UV_CACHE_DIR: cache });
    rmSync(path.join(bench.root, 'pylock.toml'));
    readOnly(t, cache);
    const { document } = await bench.build({ UV_CACHE_DIR: cache });
    assert.equal(document.error.message, `uv's cache ${cache} cannot be written: the disk is read-only.`);
  });
});

describe('a full disk', () => {
  test('under the project is reported, and the last artifact is all that is left', async (t) => {
    const bench = new Bench(['demo']);
    const files = ['worker.py', 'pyproject.toml'].map(
      (file) => [file, readFileSync(path.join(bench.root, file))] as const,
    );
    smallDisk(t, bench.root, 2 << 20);
    for (const [file, bytes] of files) writeFileSync(path.join(bench.root, file), bytes);
    const good = await bench.built();
    writeFileSync(path.join(bench.root, 'model.bin'), randomBytes(1 << 20));
    fillDisk(bench.root);
    const { code, document } = await bench.build();
    assert.equal(code, 1);
    assert.equal(document.error.code, 'DISK_FULL');
    assert.match(document.error.message, /\.toolkit.* cannot be written: the disk is full\.$/);
    assert.equal(sha256Of(bench.artifact), good);
    assert.deepEqual(bench.leftovers(), []);

    rmSync(path.join(bench.root, 'filler'));
    rmSync(path.join(bench.root, 'model.bin'));
    assert.equal(await bench.built(), good, 'builds once there is space again');
  });

  test('under the project, with space in .toolkit, is reported when the lock is written', async (t) => {
    const bench = new Bench(['demo']);
    const file = path.join(bench.root, 'worker.py');
    const text = readFileSync(file);
    smallDisk(t, bench.root, 1 << 20);
    writeFileSync(file, text);
    mkdirSync(path.join(bench.root, '.toolkit'));
    smallDisk(t, path.join(bench.root, '.toolkit'), 16 << 20);
    fillDisk(bench.root);
    const { code, document } = await bench.build();
    assert.equal(code, 1);
    assert.equal(document.error.code, 'DISK_FULL');
    assert.equal(document.error.message, 'pylock.toml cannot be written: the disk is full.');
    assert.ok(!existsSync(bench.artifact));
  });

  test('under TOOLKIT_HOME is reported, and the last artifact is all that is left', async (t) => {
    const large = { name: 'large', files: { 'large.bin': randomBytes(2 << 20) } };
    const bench = new Bench(['demo'], [DEMO, large]);
    const good = await bench.built();
    const text = queueWorker('one', 'dependencies=["demo", "large"]');
    bench.project.write({ 'worker.py': text });
    const wheels = path.join(bench.home, 'cache/wheels');
    smallDisk(t, wheels, 1 << 20);
    const { code, document } = await bench.build();
    assert.equal(code, 1);
    assert.equal(document.error.code, 'DISK_FULL');
    assert.match(document.error.message, /cache\/wheels.* cannot be written: the disk is full\.$/);
    assert.match(document.error.hint, /Free some space/);
    assert.equal(sha256Of(bench.artifact), good);
    assert.deepEqual(bench.leftovers(), []);
  });

  test('under the cached parts is reported, and the last artifact is all that is left', async (t) => {
    const large = { name: 'large', files: { 'large.bin': randomBytes(2 << 20) } };
    const bench = new Bench(['demo'], [DEMO, large]);
    const good = await bench.built();
    bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["demo", "large"]') });
    smallDisk(t, path.join(bench.home, 'cache/parts'), 1 << 20);
    const { document } = await bench.build();
    assert.equal(document.error.code, 'DISK_FULL');
    assert.equal(sha256Of(bench.artifact), good);
    assert.deepEqual(bench.leftovers(), []);
  });
});

/** A moment of a build at which it can be stopped: what the project needs for it, and how to detect it. */
interface Moment {
  title: string;
  prepare(bench: Bench, index: PackageIndex): NodeJS.ProcessEnv;
  isReached(bench: Bench, index: PackageIndex): boolean;
}

const MOMENTS: Moment[] = [
  {
    title: 'while it resolves',
    prepare: (bench, index) => {
      bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["demo", "stuck"]') });
      return { PIP_NO_INDEX: '0', UV_DEFAULT_INDEX: index.url };
    },
    isReached: (_bench, index) => index.requests.includes('/simple/stuck/'),
  },
  {
    title: 'while it fetches',
    prepare: (bench, index) => {
      bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["demo", "slow"]') });
      index.add({ name: 'slow', files: { 'slow.bin': randomBytes(200_000) } });
      return { PIP_NO_INDEX: '0', UV_DEFAULT_INDEX: index.url };
    },
    isReached: (bench) =>
      globSync('cache/wheels/*.part', { cwd: bench.home }).some(
        (file) => statSync(path.join(bench.home, file)).size > 0,
      ),
  },
  {
    title: 'while it packs dependencies',
    prepare: (bench) => {
      writeWheel(bench.project.links, {
        name: 'heavy',
        members: [{ name: 'heavy.bin', content: Buffer.alloc(150 << 20), stored: true }],
      });
      bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["heavy"]') });
      return {};
    },
    isReached: (bench) => globSync('cache/parts/*.tmp', { cwd: bench.home }).length > 0,
  },
  {
    title: 'while it packs code',
    prepare: (bench) => {
      bench.project.write({ 'model.bin': randomBytes(60 << 20) });
      return {};
    },
    isReached: (bench) => globSync('.toolkit/.build/*/artifact.tar.gz', { cwd: bench.root }).length > 0,
  },
];

/** An index that never responds about `stuck`, and sends only the first half of `slow`. */
async function stallingIndex(t: TestContext): Promise<PackageIndex> {
  const index = await packageIndex({
    isHeld: (project) => project === 'stuck',
    onFile: (name, response, bytes) => {
      if (!name.startsWith('slow')) return false;
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2));
      return true;
    },
  });
  t.after(() => index.close());
  index.add(DEMO);
  return index;
}

for (const { title, prepare, isReached } of MOMENTS) {
  describe(`a build ${title}`, () => {
    test('that is interrupted leaves the last artifact, and nothing unfinished except resumable downloads', async (t) => {
      const { bench, good, child } = await caught(t, prepare, isReached);
      child.kill('SIGINT');
      const { code, document } = await ended(child);
      assert.equal(code, 130);
      assert.equal(document.error.code, 'INTERRUPTED');
      assert.equal(sha256Of(bench.artifact), good);
      const left = bench.leftovers().filter((name) => !name.endsWith('.part'));
      assert.deepEqual(left, []);
      await heals(bench, good);
    });

    test('that is killed is repaired by the next one', async (t) => {
      const { bench, good, child } = await caught(t, prepare, isReached);
      child.kill('SIGKILL');
      await once(child, 'close');
      assert.equal(sha256Of(bench.artifact), good);
      await heals(bench, good);
    });
  });
}

async function caught(t: TestContext, prepare: Moment['prepare'], isReached: Moment['isReached']) {
  const index = await stallingIndex(t);
  const bench = new Bench(['demo']);
  const good = await bench.built();
  const child = bench.start(prepare(bench, index));
  t.after(() => child.kill('SIGKILL'));
  await until('the moment', () => isReached(bench, index));
  return { bench, good, child };
}

/** The original project builds to the same bytes, and nothing of the failed build is left. */
async function heals(bench: Bench, good: string): Promise<void> {
  rmSync(path.join(bench.root, 'model.bin'), { force: true });
  bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["demo"]') });
  rmSync(path.join(bench.home, 'cache/parts'), { recursive: true });
  rmSync(path.join(bench.root, 'pylock.toml'));
  assert.equal(await bench.built(), good);
  const left = bench.leftovers().filter((name) => !name.endsWith('.part'));
  assert.deepEqual(left, []);
}

test('two simultaneous builds of one project both succeed and leave one complete artifact', async () => {
  const bench = new Bench(
    ['demo', 'six'],
    [DEMO, { name: 'six', files: { 'six.bin': randomBytes(3 << 20) } }],
  );
  const both = await Promise.all([bench.build(), bench.build()]);
  for (const { code, stderr } of both) assert.equal(code, 0, stderr);
  const sums = new Set(both.map(({ document }) => document.sha256));
  assert.deepEqual([...sums], [sha256Of(bench.artifact)]);
  assert.deepEqual(bench.leftovers(), []);
});

const DAMAGES: { title: string; damage(cache: string): void }[] = [
  {
    title: 'a truncated wheel',
    damage: (cache) => {
      rmSync(path.join(cache, 'parts'), { recursive: true });
      truncateSync(path.join(cache, 'wheels', readdirSync(path.join(cache, 'wheels'))[0]!), 100);
    },
  },
  {
    title: 'a modified part',
    damage: (cache) => {
      const [part] = globSync('parts/*.tar.gz', { cwd: cache });
      const file = path.join(cache, part!);
      const bytes = readFileSync(file);
      bytes[200]! ^= 1;
      writeFileSync(file, bytes);
    },
  },
  {
    title: "a part's record that is not JSON",
    damage: (cache) => {
      const [note] = globSync('parts/*.json', { cwd: cache });
      writeFileSync(path.join(cache, note!), '{');
    },
  },
  {
    title: 'a list of interpreters that is not JSON',
    damage: (cache) => {
      writeFileSync(path.join(cache, 'interpreters.json'), 'null{');
      rmSync(path.join(cache, 'parts'), { recursive: true });
    },
  },
];
for (const { title, damage } of DAMAGES) {
  test(`a cache with ${title} is repaired`, async () => {
    const bench = new Bench(['demo']);
    const good = await bench.built();
    damage(path.join(bench.home, 'cache'));
    assert.equal(await bench.built(), good);
    assert.equal(await bench.built(), good);
  });
}

test('what no build has used for a month is removed from the cache', async () => {
  const bench = new Bench(['demo']);
  await bench.built();
  bench.project.write({ 'worker.py': queueWorker('one', 'dependencies=["six"]') });
  writeWheel(bench.project.links, { name: 'six', files: { 'six.py': '' } });
  await bench.built();
  const cache = path.join(bench.home, 'cache');
  const count = () =>
    ['parts/*.tar.gz', 'parts/*.json', 'wheels/*.whl'].map((name) => globSync(name, { cwd: cache }).length);
  assert.deepEqual(count(), [2, 2, 2]);
  const old = new Date(Date.now() - 31 * 24 * 3_600_000);
  for (const file of globSync(['parts/*.json', 'wheels/*', 'pruned'], { cwd: cache })) {
    utimesSync(path.join(cache, file), old, old);
  }
  await bench.built();
  assert.deepEqual(count(), [1, 1, 0], 'the used part stays, although its wheels are gone');
  const unused = path.join(cache, 'wheels/unused.whl');
  writeFileSync(unused, '');
  utimesSync(unused, old, old);
  await bench.built();
  assert.ok(existsSync(unused), 'it is looked for once a day');
  assert.ok(existsSync(path.join(bench.project.links, wheelName({ name: 'six' }))));
});
