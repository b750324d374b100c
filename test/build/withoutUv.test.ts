/** Machines where uv is not to be had: pip resolves, or one sentence says what is missing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { UV_VERSION } from '../../runtime/build/dependencies/installer.ts';
import { makeProject, type Project, queueWorker, readArchived } from './projects.ts';
import { writeWheel } from './wheels.ts';

/** The project's own Python, which is the target as well: pip reads markers for the one that runs it. */
const version = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
  encoding: 'utf8',
}).stdout.trim();

function withoutUv(dependencies: Record<string, string[]>): Project {
  const files = Object.entries(dependencies).map(([name, texts]) => [
    `${name}.py`,
    queueWorker(name, `dependencies=${JSON.stringify(texts)}`),
  ]);
  const project = makeProject(
    { ...Object.fromEntries(files), 'pyproject.toml': `[tool.toolkit]\npython = "${version}"\n` },
    [
      { name: 'demo', files: { 'demo.py': 'x = 1\n' } },
      { name: 'demo', version: '2.0', files: { 'demo.py': 'x = 2\n' } },
      { name: 'outer', files: { 'outer.py': '' }, requires: ['demo', "absent; extra == 'more'"] },
      { name: 'torch', files: { 'torch.py': '' }, requires: ['sympy'] },
      { name: 'sympy', files: { 'sympy.py': '' } },
    ],
  );
  // No wheel of uv is among the packages, and none on PATH.
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

test('pip resolves in the place of uv, says so, and the lock serves as ever', async () => {
  const project = withoutUv({ one: ['outer', 'torch'] });
  const built = await project.build();
  assert.equal(
    readArchived(built.artifact, 'requirements.txt'),
    'demo==2.0\nouter==1.0\nsympy==1.0\ntorch==1.0\n',
  );
  assert.deepEqual(built.excluded, ['sympy', 'torch'], 'who needs whom is known');
  assert.ok(
    built.events.some(
      (event) =>
        event.type === 'warning' &&
        /uv, which resolves dependencies, could not be installed.*pip resolves in its place/.test(
          event.message,
        ),
    ),
  );
  rmSync(project.links, { recursive: true });
  assert.equal((await project.build()).sha256, built.sha256);
  assert.doesNotMatch(readFileSync(path.join(project.root, 'pylock.toml'), 'utf8'), /bare/);
});

test('pip keeps the versions of the lock before', async () => {
  const project = withoutUv({ one: ['demo<2'] });
  await project.build();
  project.write({ 'one.py': queueWorker('one', 'dependencies=["demo", "sympy"]') });
  assert.equal(readArchived((await project.build()).artifact, 'requirements.txt'), 'demo==1.0\nsympy==1.0\n');
  const upgraded = await project.build({ upgrade: true });
  assert.equal(readArchived(upgraded.artifact, 'requirements.txt'), 'demo==2.0\nsympy==1.0\n');
});

test('pip gives contradicting endpoints sets of their own', async () => {
  const project = withoutUv({ a: ['demo==1.0'], b: ['demo==2.0'] });
  const { artifact } = await project.build();
  assert.equal(readArchived(artifact, '_toolkit/dependencies/for-b/demo.py'), 'x = 2\n');
});

const FAILURES = [
  {
    title: 'a missing package',
    texts: ['absent'],
    code: 'DEPENDENCY_UNRESOLVED',
    says: /^absent \(asked for by the endpoint "one" \(one\.py:4\)\) has no wheel for Python 3\.\d+ on Linux x86_64/,
  },
  {
    title: 'a missing version',
    texts: ['demo>3'],
    code: 'DEPENDENCY_UNRESOLVED',
    says: /^demo \(.*\) has no version that fits, of 1\.0, 2\.0, with a wheel for Python/,
  },
  {
    title: 'pins of one endpoint that clash',
    texts: ['demo==1.0', 'demo==2.0'],
    code: 'DEPENDENCY_CONFLICT',
    says: /demo==1\.0 \(.*\) and demo==2\.0 \(/,
  },
];
for (const { title, texts, code, says } of FAILURES) {
  test(`${title} is told by way of pip, too`, async () => {
    await assert.rejects(withoutUv({ one: texts }).build(), { code, message: says });
  });
}

test('without an index in reach it is said that uv is missing, and how to get it', async () => {
  const project = withoutUv({ one: ['demo'] });
  const { PIP_FIND_LINKS: _links, PIP_NO_INDEX: _none, ...env } = project.env;
  const nowhere = { ...env, PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_RETRIES: '0' };
  await assert.rejects(project.build({ env: nowhere }), {
    code: 'INSTALLER_MISSING',
    message:
      /^uv, which resolves dependencies, could not be installed with .*: the package index could not be reached\.$/,
    hint: /Put uv on PATH .* or try again with a network/,
  });
});

function writeUv(project: Project, version: string): void {
  const content = `#!/bin/sh\n# ${version}\nexit 2\n`;
  const member = { name: `uv-${version}.data/scripts/uv`, content, executable: true };
  writeWheel(project.links, { name: 'uv', version, members: [member] });
}

test('the uv that is installed is the one that builds were tested with, not the newest', async () => {
  const project = withoutUv({ one: ['demo'] });
  for (const version of [UV_VERSION, '99.0']) writeUv(project, version);
  await assert.rejects(project.build(), { code: 'DEPENDENCY_UNRESOLVED' });
  const installed = readFileSync(path.join(project.home, 'cache/uv/bin/uv'), 'utf8');
  assert.ok(installed.includes(`# ${UV_VERSION}\n`), installed);
});

test('an installation of uv that was killed does not hold up the next', async () => {
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
