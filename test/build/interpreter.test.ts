/** Which Python a build uses, and the user's pip settings, which the resolver follows. */
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readIndexSettings } from '../../runtime/build/dependencies/indexSettings.ts';
import { findPython } from '../../runtime/build/dependencies/interpreter.ts';
import type { TargetPython } from '../../runtime/source/reading.ts';
import { ANY_PYTHON } from '../../runtime/source/requiresPython.ts';
import { scratch } from './scratch.ts';

const { signal } = new AbortController();

/** A folder of interpreters that print a version: name → version. */
function interpreters(versions: Record<string, string>): string {
  const folder = scratch('pythons');
  for (const [name, version] of Object.entries(versions)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho ${version}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

function find(env: NodeJS.ProcessEnv, target: Partial<TargetPython> = {}) {
  return findPython({ target: { ...ANY_PYTHON, ...target }, toolkitHome: scratch('home'), env, signal });
}

const CASES: {
  title: string;
  versions: Record<string, string>;
  target?: Partial<TargetPython>;
  named?: string;
  found: string;
}[] = [
  { title: 'python3', versions: { python3: '3.12', python: '3.11' }, found: 'python3' },
  {
    title: 'the target version',
    versions: { python3: '3.12', 'python3.10': '3.10' },
    target: { python: '3.10', requiresPython: '>=3.10,<3.11' },
    found: 'python3.10',
  },
  {
    title: 'another version when the target version is missing',
    versions: { python3: '3.12' },
    target: { python: '3.10', requiresPython: '>=3.10,<3.11' },
    found: 'python3',
  },
  {
    title: 'a version that requires-python allows instead of python3',
    versions: { python3: '3.10', 'python3.13': '3.13', 'python3.12': '3.12', 'python3.11': '3.11' },
    target: { requiresPython: '>3.10.4, !=3.10.*, <3.13' },
    found: 'python3.12',
  },
  {
    title: 'a newer version instead of an old python3',
    versions: { python3: '3.8', 'python3.13': '3.13' },
    found: 'python3.13',
  },
  {
    title: 'the interpreter that TOOLKIT_PYTHON names',
    versions: { python3: '3.12', other: '3.11' },
    named: 'other',
    found: 'other',
  },
];

for (const { title, versions, target, named, found } of CASES) {
  test(`finds ${title}`, async () => {
    const folder = interpreters(versions);
    const env = { PATH: folder, ...(named ? { TOOLKIT_PYTHON: path.join(folder, named) } : {}) };
    const python = await find(env, target);
    assert.deepEqual(python, { path: path.join(folder, found), version: versions[found] });
  });
}

test('says what to do when there is no Python', async () => {
  await assert.rejects(find({ PATH: scratch() }), { code: 'PYTHON_NOT_FOUND', hint: /set TOOLKIT_PYTHON/ });
});

test('refuses interpreters that requires-python does not allow', async () => {
  const folder = interpreters({ python3: '3.11', 'python3.10': '3.10' });
  const target = { requiresPython: '>=3.12' };
  await assert.rejects(find({ PATH: folder }, target), {
    code: 'PYTHON_NOT_FOUND',
    message: `${folder}/python3 is Python 3.11, but requires-python in pyproject.toml is ">=3.12".`,
    hint: 'Install Python 3.12, or set TOOLKIT_PYTHON to its path. Or set python = "3.12" under [tool.toolkit]: the build then does not need that version on this machine.',
  });
  const named = path.join(folder, 'python3.10');
  await assert.rejects(find({ TOOLKIT_PYTHON: named }, target), {
    message: `TOOLKIT_PYTHON is ${named}, which is Python 3.10, but requires-python in pyproject.toml is ">=3.12".`,
    hint: /Set TOOLKIT_PYTHON/,
  });
});

test('refuses a TOOLKIT_PYTHON that is not a Python, or is too old', async () => {
  const folder = interpreters({ old: '3.8' });
  await assert.rejects(find({ TOOLKIT_PYTHON: '/no/such' }), {
    message: /TOOLKIT_PYTHON is \/no\/such, which is not a Python/,
    hint: /toolkit\.python/,
  });
  await assert.rejects(find({ PATH: '/bin', TOOLKIT_PYTHON: path.join(folder, 'old') }), {
    message: /, which is Python 3\.8; 3\.10 or newer is required/,
  });
});

test('asks a version manager again only after a file that it reads has changed', async () => {
  const manager = scratch('manager');
  const calls = path.join(manager, 'calls');
  const project = scratch('project');
  mkdirSync(path.join(manager, 'shims'));
  mkdirSync(path.join(manager, 'versions'));
  writeFileSync(path.join(manager, 'version'), '3.11');
  // Like pyenv: the folder's own file wins over the global one.
  const shim = `#!/bin/sh\necho call >> ${calls}\ncat .python-version 2>/dev/null || cat ${manager}/version\n`;
  writeFileSync(path.join(manager, 'shims/python3'), shim, { mode: 0o755 });
  const toolkitHome = scratch('home');
  const env = { PATH: `${manager}/shims:/bin:/usr/bin` };
  const before = process.cwd();
  const finds = async (version: string, count: number, variables: NodeJS.ProcessEnv = {}) => {
    const found = await findPython({
      target: ANY_PYTHON,
      toolkitHome,
      env: { ...env, ...variables },
      signal,
    });
    assert.equal(found.version, version);
    assert.equal(readFileSync(calls, 'utf8').split('\n').length - 1, count);
  };
  process.chdir(project);
  try {
    await finds('3.11', 1);
    await finds('3.11', 1);
    writeFileSync(path.join(project, '.python-version'), '3.12');
    await finds('3.12', 2);
    await finds('3.12', 2);
    appendFileSync(path.join(manager, 'version'), '\n');
    await finds('3.12', 3);
    mkdirSync(path.join(manager, 'versions/3.13'));
    await finds('3.12', 4);
    await finds('3.12', 5, { PYENV_VERSION: '3.12' });
    process.chdir(manager);
    await finds('3.11', 6);
  } finally {
    process.chdir(before);
  }
});

test('asks any other script each time, since it is unknown what it starts', async () => {
  const folder = interpreters({ python3: '3.11' });
  const toolkitHome = scratch('home');
  const find = () => findPython({ target: ANY_PYTHON, toolkitHome, env: { PATH: folder }, signal });
  const target = path.join(folder, 'python3');
  writeFileSync(path.join(folder, 'answer'), '3.11');
  writeFileSync(target, `#!/bin/sh\nread line < ${folder}/answer; echo $line\n`);
  assert.equal((await find()).version, '3.11');
  writeFileSync(path.join(folder, 'answer'), '3.12');
  assert.equal((await find()).version, '3.12');
});

test("follows pip's settings, but uv's own settings take precedence", async () => {
  const config = path.join(scratch(), 'pip.conf');
  writeFileSync(
    config,
    '[global]\nindex-url = https://me:secret@pip.example/simple\nextra-index-url =\n    https://a.example/simple\n    https://b.example/simple\nno-index = true\n',
  );
  const env = { PATH: process.env.PATH, HOME: scratch(), PIP_CONFIG_FILE: config, PIP_CERT: '/a/cert.pem' };
  const python = await find(env);
  const settings = readIndexSettings(python, { root: env.HOME, env, signal });
  assert.equal(settings.env.UV_DEFAULT_INDEX, 'https://me:secret@pip.example/simple');
  assert.equal(settings.env.UV_INDEX, 'https://a.example/simple https://b.example/simple');
  assert.deepEqual(settings.args, ['--no-index']);
  assert.equal(settings.network.certificates, '/a/cert.pem');
  const header = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  assert.equal(await settings.authorize(new URL('https://pip.example/a.whl')), header);
  assert.equal(await settings.authorize(new URL('https://a.example/a.whl')), undefined);
  const own = readIndexSettings(python, {
    env: { ...env, UV_INDEX_URL: 'https://uv.example/simple' },
    root: env.HOME,
    signal,
  });
  assert.equal(own.env.UV_DEFAULT_INDEX, undefined);
});
