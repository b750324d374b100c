/** Which Python a build is made for, and the user's pip settings that its resolver follows. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readIndexSettings } from '../../runtime/build/dependencies/indexSettings.ts';
import { findPython } from '../../runtime/build/dependencies/interpreter.ts';
import { scratch } from './scratch.ts';

const { signal } = new AbortController();

/** A folder of interpreters that answer with a version: name → version. */
function interpreters(versions: Record<string, string>): string {
  const folder = scratch('pythons');
  for (const [name, version] of Object.entries(versions)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho ${version}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

function find(env: NodeJS.ProcessEnv, target: string | null = null) {
  return findPython({ target, toolkitHome: scratch('home'), env, signal });
}

const CASES: {
  title: string;
  versions: Record<string, string>;
  target?: string;
  named?: string;
  found: string;
}[] = [
  { title: 'python3', versions: { python3: '3.12', python: '3.11' }, found: 'python3' },
  {
    title: 'the one of the target',
    versions: { python3: '3.12', 'python3.10': '3.10' },
    target: '3.10',
    found: 'python3.10',
  },
  {
    title: 'another one where the target is not there',
    versions: { python3: '3.12' },
    target: '3.10',
    found: 'python3',
  },
  {
    title: 'a newer one than an old python3',
    versions: { python3: '3.8', 'python3.13': '3.13' },
    found: 'python3.13',
  },
  {
    title: 'what TOOLKIT_PYTHON names',
    versions: { python3: '3.12', other: '3.11' },
    named: 'other',
    found: 'other',
  },
];

for (const { title, versions, target, named, found } of CASES) {
  test(`finds ${title}`, async () => {
    const folder = interpreters(versions);
    const env = { PATH: folder, ...(named ? { TOOLKIT_PYTHON: path.join(folder, named) } : {}) };
    const python = await find(env, target ?? null);
    assert.deepEqual(python, { path: path.join(folder, found), version: versions[found] });
  });
}

test('says what to do where there is no Python', async () => {
  await assert.rejects(find({ PATH: scratch() }), { code: 'PYTHON_NOT_FOUND', hint: /set TOOLKIT_PYTHON/ });
});

test('names a TOOLKIT_PYTHON that is none, or too old', async () => {
  const folder = interpreters({ old: '3.8' });
  await assert.rejects(find({ TOOLKIT_PYTHON: '/no/such' }), {
    message: /names \/no\/such, which is not a Python/,
    hint: /toolkit\.python/,
  });
  await assert.rejects(find({ PATH: '/bin', TOOLKIT_PYTHON: path.join(folder, 'old') }), {
    message: /Python 3\.8, which is too old/,
  });
});

test("follows pip's settings, and uv's own before them", async () => {
  const config = path.join(scratch(), 'pip.conf');
  writeFileSync(
    config,
    '[global]\nindex-url = https://me:secret@pip.example/simple\nextra-index-url =\n    https://a.example/simple\n    https://b.example/simple\nno-index = true\n',
  );
  const env = { PATH: process.env.PATH, HOME: scratch(), PIP_CONFIG_FILE: config, PIP_CERT: '/a/cert.pem' };
  const python = await find(env);
  const settings = readIndexSettings(python, { root: env.HOME, env });
  assert.equal(settings.env.UV_DEFAULT_INDEX, 'https://me:secret@pip.example/simple');
  assert.equal(settings.env.UV_INDEX, 'https://a.example/simple https://b.example/simple');
  assert.deepEqual(settings.args, ['--no-index']);
  assert.equal(settings.network.certificates, '/a/cert.pem');
  const header = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  assert.equal(settings.authorize(new URL('https://pip.example/a.whl')), header);
  assert.equal(settings.authorize(new URL('https://a.example/a.whl')), undefined);
  const own = readIndexSettings(python, {
    env: { ...env, UV_INDEX_URL: 'https://uv.example/simple' },
    root: env.HOME,
  });
  assert.equal(own.env.UV_DEFAULT_INDEX, undefined);
});
