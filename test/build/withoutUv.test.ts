/** Machines where uv is not available: pip resolves, or one sentence says what is missing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findUv, installedUv, UV_VERSION } from '../../runtime/build/dependencies/installer.ts';
import { findPython } from '../../runtime/build/dependencies/interpreter.ts';
import { RELEASED_VERSIONS } from '../../runtime/build/dependencies/releasedVersions.ts';
import { ANY_PYTHON } from '../../runtime/source/requiresPython.ts';
import { makeProject, type Project, queueWorker, readArchived, WORKER_WHEELS } from './projects.ts';
import { scratch } from './scratch.ts';
import { type WheelContents, writeWheel } from './wheels.ts';

/**
 * The project's own Python, which is also the target: pip evaluates markers for the interpreter that runs it.
 */
const version = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
  encoding: 'utf8',
}).stdout.trim();

function withoutUv(dependencies: Record<string, string[]>): Project {
  const files = Object.entries(dependencies).map(([name, texts]) => [
    `${name}.py`,
    queueWorker(name, `dependencies=${JSON.stringify(texts)}`),
  ]);
  return withoutUvIn(Object.fromEntries(files), [
    { name: 'demo', files: { 'demo.py': 'x = 1\n' } },
    { name: 'demo', version: '2.0', files: { 'demo.py': 'x = 2\n' } },
    { name: 'outer', files: { 'outer.py': '' }, requires: ['demo', "absent; extra == 'more'"] },
    { name: 'torch', files: { 'torch.py': '' }, requires: ['sympy'] },
    { name: 'sympy', files: { 'sympy.py': '' } },
  ]);
}

function withoutUvIn(files: Record<string, string>, wheels: WheelContents[]): Project {
  const project = makeProject(
    { ...files, 'pyproject.toml': `[tool.toolkit]\npython = "${version}"\n` },
    wheels,
  );
  // uv is neither among the packages nor on PATH.
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const PATH = folders.filter((folder) => !existsSync(path.join(folder, 'uv'))).join(path.delimiter);
  const home = path.join(project.home, '../bare');
  const env = { ...project.env, PATH };
  return {
    ...project,
    home,
    env,
    build: (options = {}) => project.build({ toolkitHome: home, env, ...options }),
  };
}

test('pip resolves instead of uv, which is reported, and the lock works as usual', async () => {
  const project = withoutUv({ one: ['outer', 'torch'] });
  const built = await project.build();
  assert.equal(
    readArchived(built.artifact, 'requirements.txt'),
    'demo==2.0\nouter==1.0\nsympy==1.0\ntorch==1.0\n',
  );
  assert.deepEqual(built.excluded, ['sympy', 'torch'], 'the lock records which package requires which');
  assert.ok(
    built.events.some(
      (event) =>
        event.type === 'warning' &&
        /uv, which resolves dependencies, could not be installed.*pip is used instead/.test(event.message),
    ),
  );
  rmSync(project.links, { recursive: true });
  assert.equal((await project.build()).sha256, built.sha256);
  assert.doesNotMatch(readFileSync(path.join(project.root, 'pylock.toml'), 'utf8'), /bare/);
});

test('a project without requirements resolves nothing and gets no lock', async () => {
  const project = withoutUv({ one: [] });
  const { events } = await project.build();
  const steps = events.flatMap((event) => ('message' in event ? [event.message] : []));
  assert.deepEqual(
    steps.filter((text) => /resolv|uv/i.test(text)),
    [],
  );
  assert.ok(!existsSync(path.join(project.root, 'pylock.toml')));
});

/** A load-balanced endpoint, which requires what the toolkit's own worker requires and nothing else. */
const ROUTES = {
  'api.py': `from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu3c-1-2")


@api.get("/hello")
def hello() -> str:
    return "hello"
`,
};
const NEWER: WheelContents[] = WORKER_WHEELS.map((wheel) => ({ ...wheel, version: '0.999' }));

function warningsOf({ events }: Awaited<ReturnType<Project['build']>>): string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
}

test("a project without requirements of its own gets the release's versions, and uv is not installed", async () => {
  const { fastapi, uvicorn } = RELEASED_VERSIONS;
  const released = WORKER_WHEELS.map((wheel) => ({ ...wheel, version: RELEASED_VERSIONS[wheel.name]! }));
  const project = withoutUvIn(ROUTES, [...released, ...NEWER]);
  const built = await project.build();
  assert.deepEqual(warningsOf(built), [], 'uv is not among the packages, so its installation would fail');
  const expected = `fastapi==${fastapi}\nuvicorn==${uvicorn}\n`;
  assert.equal(readArchived(built.artifact, 'requirements.txt'), expected);
  const resolvedByUv = makeProject(ROUTES, [...released, ...NEWER]);
  assert.equal(readArchived((await resolvedByUv.build()).artifact, 'requirements.txt'), expected);
  const { artifact } = await resolvedByUv.build({ upgrade: true });
  assert.equal(readArchived(artifact, 'requirements.txt'), 'fastapi==0.999\nuvicorn==0.999\n');
});

test("versions are chosen again where the index does not have the release's", async () => {
  const { artifact } = await withoutUvIn(ROUTES, NEWER).build();
  assert.equal(readArchived(artifact, 'requirements.txt'), 'fastapi==0.999\nuvicorn==0.999\n');
});

test('pip keeps the versions of an earlier lock', async () => {
  const project = withoutUv({ one: ['demo<2'] });
  await project.build();
  project.write({ 'one.py': queueWorker('one', 'dependencies=["demo", "sympy"]') });
  assert.equal(readArchived((await project.build()).artifact, 'requirements.txt'), 'demo==1.0\nsympy==1.0\n');
  const upgraded = await project.build({ upgrade: true });
  assert.equal(readArchived(upgraded.artifact, 'requirements.txt'), 'demo==2.0\nsympy==1.0\n');
});

test('pip chooses again if the only version of an earlier lock no longer fits', async () => {
  const project = withoutUv({ one: ['demo<2'] });
  await project.build();
  project.write({ 'one.py': queueWorker('one', 'dependencies=["demo>=2"]') });
  assert.equal(readArchived((await project.build()).artifact, 'requirements.txt'), 'demo==2.0\n');
});

test('pip gives endpoints with conflicting pins their own sets', async () => {
  const project = withoutUv({ a: ['demo==1.0'], b: ['demo==2.0'] });
  const { artifact } = await project.build();
  assert.equal(readArchived(artifact, '_toolkit/dependencies/for-b/demo.py'), 'x = 2\n');
});

const FAILURES = [
  {
    title: 'a missing package',
    texts: ['absent'],
    code: 'DEPENDENCY_UNRESOLVED',
    says: /^The package index has no wheel of absent \(required by the endpoint "one" \(one\.py:4\)\) for Python 3\.\d+ on Linux x86_64\.$/,
  },
  {
    title: 'a missing version',
    texts: ['demo>3'],
    code: 'DEPENDENCY_UNRESOLVED',
    says: /^No version of demo \(.*\) that satisfies the requirements has a wheel for Python .*\. Versions with a wheel: 1\.0, 2\.0\.$/,
  },
  {
    title: 'conflicting pins of one endpoint',
    texts: ['demo==1.0', 'demo==2.0'],
    code: 'DEPENDENCY_CONFLICT',
    says: /demo==1\.0 \(.*\) and demo==2\.0 \(/,
  },
];
for (const { title, texts, code, says } of FAILURES) {
  test(`${title} is reported when pip resolves, too`, async () => {
    await assert.rejects(withoutUv({ one: texts }).build(), { code, message: says });
  });
}

test('without a reachable index, reports that uv is missing and how to get it', async () => {
  const project = withoutUv({ one: ['demo'] });
  const { PIP_FIND_LINKS: _links, PIP_NO_INDEX: _none, ...env } = project.env;
  const nowhere = { ...env, PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '0' };
  await assert.rejects(project.build({ env: nowhere }), {
    code: 'INSTALLER_MISSING',
    message:
      /^uv, which resolves dependencies, could not be installed with .*: the package index cannot be reached\.$/,
    hint: /^Check your network connection and try again, or install uv/,
  });
});

for (const { printed, why, hint } of [
  {
    printed: '/usr/bin/python3: No module named pip',
    why: 'this Python has no pip.',
    hint: /install pip for this Python/,
  },
  {
    printed: 'OSError: [Errno 28] No space left on device',
    why: 'the disk is full.',
    hint: /^Free some space/,
  },
  {
    printed: 'ERROR: Could not find a version that satisfies the requirement uv',
    why: 'the package index does not have uv.',
    hint: /^Install uv/,
  },
]) {
  test(`a Python whose pip prints "${printed}" is reported with the repair for that`, async () => {
    const python = path.join(scratch(), 'python3');
    writeFileSync(python, `#!/bin/sh\necho '${printed}' >&2\nexit 1\n`, { mode: 0o755 });
    const options = {
      toolkitHome: scratch(),
      env: { PATH: '/bin' },
      signal: new AbortController().signal,
      report: () => {},
    };
    await assert.rejects(
      findUv(options, () => Promise.resolve({ path: python, version })),
      {
        code: 'INSTALLER_MISSING',
        message: `uv, which resolves dependencies, could not be installed with ${python}: ${why}`,
        hint,
      },
    );
  });
}

test('pip is not used for a project with sources of uv, which it would ignore', async () => {
  const project = withoutUv({ one: ['demo'] });
  const sources = '[tool.uv.sources]\ndemo = { index = "special" }\n';
  project.write({ 'pyproject.toml': `${sources}[tool.toolkit]\npython = "${version}"\n` });
  await assert.rejects(project.build(), { code: 'INSTALLER_MISSING' });
});

test('a uv on PATH is used if it is 0.12.11 or newer, since older ones write locks without some hashes', async () => {
  const folders = ['0.12.10', '0.12.11', '0.13.0', '1.0.0', 'x'].map((version) => {
    const folder = scratch();
    writeFileSync(path.join(folder, 'uv'), `#!/bin/sh\necho uv ${version}\n`, { mode: 0o755 });
    return folder;
  });
  const found = folders.map((folder) =>
    installedUv({
      toolkitHome: scratch(),
      env: { PATH: folder },
      signal: new AbortController().signal,
      report: () => {},
    }),
  );
  const [, ...newEnough] = folders.slice(0, 4).map((folder) => path.join(folder, 'uv'));
  assert.deepEqual(await Promise.all(found), [null, ...newEnough, null]);
});

function writeUv(project: Project, version: string): void {
  const content = `#!/bin/sh\n# ${version}\nexit 2\n`;
  const member = { name: `uv-${version}.data/scripts/uv`, content, executable: true };
  writeWheel(project.links, { name: 'uv', version, members: [member] });
}

test('installs the uv version that builds are tested with, not the newest', async () => {
  const project = withoutUv({ one: ['demo'] });
  for (const version of [UV_VERSION, '99.0']) writeUv(project, version);
  await assert.rejects(project.build(), { code: 'DEPENDENCY_UNRESOLVED' });
  const installed = readFileSync(path.join(project.home, 'cache/uv/bin/uv'), 'utf8');
  assert.ok(installed.includes(`# ${UV_VERSION}\n`), installed);
});

test('uv is installed in a home that does not exist yet', async () => {
  const project = withoutUv({ one: ['demo'] });
  writeUv(project, UV_VERSION);
  const options = { env: project.env, signal: new AbortController().signal, report: () => {} };
  const toolkitHome = path.join(project.home, 'new');
  const python = () => findPython({ ...options, target: ANY_PYTHON, toolkitHome: project.home });
  assert.equal(await findUv({ ...options, toolkitHome }, python), path.join(toolkitHome, 'cache/uv/bin/uv'));
});

test('a folder of uv without its program is replaced', async () => {
  const project = withoutUv({ one: ['demo'] });
  const folder = path.join(project.home, 'cache/uv');
  mkdirSync(path.join(folder, 'lib'), { recursive: true });
  writeUv(project, UV_VERSION);
  await assert.rejects(project.build(), { code: 'DEPENDENCY_UNRESOLVED' });
  assert.ok(existsSync(path.join(folder, 'bin/uv')));
  assert.ok(!existsSync(path.join(folder, 'lib')));
});

for (const [what, content, mode] of [
  ['empty', '', 0o644],
  ['empty, but executable', '', 0o755],
  ['for another machine', '\x7fELF', 0o755],
] as const) {
  test(`a uv in TOOLKIT_HOME whose program is ${what} is installed again`, async () => {
    const project = withoutUv({ one: ['demo'] });
    const own = path.join(project.home, 'cache/uv/bin/uv');
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(own, content, { mode });
    writeUv(project, UV_VERSION);
    await assert.rejects(project.build(), { code: 'DEPENDENCY_UNRESOLVED' });
    assert.match(readFileSync(own, 'utf8'), new RegExp(`# ${UV_VERSION}`));
  });
}

test('a killed installation of uv does not block the next', async () => {
  const project = withoutUv({ one: ['demo'] });
  const lock = path.join(project.home, 'cache/uv.lock');
  mkdirSync(lock, { recursive: true });
  const gone = spawnSync(process.execPath, ['--version']).pid;
  writeFileSync(path.join(lock, String(gone)), '');
  writeUv(project, UV_VERSION);
  await assert.rejects(project.build(), { code: 'DEPENDENCY_UNRESOLVED' });
  assert.ok(existsSync(path.join(project.home, 'cache/uv/bin/uv')));
  assert.ok(!existsSync(lock));
});
