import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import { platformUrl, resolveKey } from '../../runtime/deploy/credentials.ts';
import { readSettings, resolveContext } from '../../runtime/deploy/settings.ts';

const REMOTE = 'https://platform.example';

interface Case {
  title: string;
  environment?: Record<string, string>;
  dotenv?: string;
  credentials?: Record<string, { key: string }>;
  expected: { key: string } | { code: string };
}

const cases: Case[] = [
  {
    title: 'the environment takes precedence over .env',
    environment: { PLATFORM_API_KEY: 'env', PLATFORM_API_URL: REMOTE },
    dotenv: 'PLATFORM_API_KEY=file',
    expected: { key: 'env' },
  },
  {
    title: '.env takes precedence over the credentials file',
    environment: { PLATFORM_API_URL: REMOTE },
    dotenv: 'PLATFORM_API_KEY=file',
    credentials: { [REMOTE]: { key: 'stored' } },
    expected: { key: 'file' },
  },
  {
    title: 'the credentials file provides the key of its own address',
    environment: { PLATFORM_API_URL: `${REMOTE}/` },
    credentials: { [REMOTE]: { key: 'stored' } },
    expected: { key: 'stored' },
  },
  {
    title: 'the credentials file provides no key of another address',
    environment: { PLATFORM_API_URL: REMOTE },
    credentials: { 'http://127.0.0.1:8890': { key: 'stored' } },
    expected: { code: 'KEY_MISSING' },
  },
  {
    title: 'an empty value counts as not set',
    environment: { PLATFORM_API_URL: REMOTE, PLATFORM_API_KEY: '' },
    expected: { code: 'KEY_MISSING' },
  },
  {
    title: 'a key of two lines is invalid, and is not sent',
    environment: { PLATFORM_API_URL: REMOTE, PLATFORM_API_KEY: 'sec\nret' },
    expected: { code: 'KEY_REJECTED' },
  },
  {
    title: 'a key with non-ASCII characters is invalid',
    environment: { PLATFORM_API_URL: REMOTE, PLATFORM_API_KEY: 'schlüssel' },
    expected: { code: 'KEY_REJECTED' },
  },
  {
    title: 'spaces around key and address are ignored',
    environment: { PLATFORM_API_URL: ` ${REMOTE}/ `, PLATFORM_API_KEY: ' env\n' },
    expected: { key: 'env' },
  },
  {
    title: 'the placeholder of .env.example counts as not set',
    environment: { PLATFORM_API_URL: REMOTE },
    dotenv: 'PLATFORM_API_KEY=<API_KEY>',
    expected: { code: 'KEY_MISSING' },
  },
  {
    title: 'an address from .env takes the key from the same .env',
    environment: { PLATFORM_API_KEY: 'mine' },
    dotenv: `PLATFORM_API_URL=${REMOTE}\nPLATFORM_API_KEY=theirs`,
    expected: { key: 'theirs' },
  },
  {
    title: 'an address from .env never gets the key from the environment',
    environment: { PLATFORM_API_KEY: 'mine' },
    dotenv: `PLATFORM_API_URL=${REMOTE}`,
    expected: { code: 'KEY_WITHHELD' },
  },
  {
    title: 'an address from .env never gets a stored key',
    dotenv: `PLATFORM_API_URL=${REMOTE}`,
    credentials: { [REMOTE]: { key: 'stored' } },
    expected: { code: 'KEY_WITHHELD' },
  },
];

describe('which key is used for which platform', () => {
  for (const { title, environment = {}, dotenv, credentials, expected } of cases) {
    it(title, (t: TestContext) => {
      const root = mkdtempSync(path.join(tmpdir(), 'toolkit-key-'));
      t.after(() => rmSync(root, { recursive: true }));
      const home = path.join(root, 'home');
      mkdirSync(home);
      if (dotenv) writeFileSync(path.join(root, '.env'), dotenv);
      if (credentials) writeFileSync(path.join(home, 'credentials.json'), JSON.stringify(credentials));
      const settings = readSettings(root, { ...environment, TOOLKIT_HOME: home });
      const url = platformUrl(settings);
      assert.equal(url, REMOTE);
      if ('key' in expected) {
        assert.equal(resolveKey(settings, url).value, expected.key);
        return;
      }
      assert.throws(
        () => resolveKey(settings, url),
        (error: unknown) =>
          error instanceof ToolkitError && error.code === expected.code && !/mine|stored/.test(error.message),
      );
    });
  }

  it('an invalid address is refused with its text', () => {
    const settings = readSettings(null, { PLATFORM_API_URL: 'platform.example', TOOLKIT_HOME: '/nowhere' });
    assert.throws(() => platformUrl(settings), /"platform\.example", which is not an HTTP URL/);
  });
});

describe('app and environment', () => {
  const settings = (environment: Record<string, string>): ReturnType<typeof readSettings> =>
    readSettings(null, { TOOLKIT_HOME: '/nowhere', ...environment });
  const none = { app: null, env: null };

  it('come from the project and the default', () => {
    assert.deepEqual(resolveContext(settings({}), none, 'shop'), { app: 'shop', environment: 'production' });
  });
  it('are overridden by TOOLKIT_APP and TOOLKIT_ENV', () => {
    assert.deepEqual(resolveContext(settings({ TOOLKIT_APP: 'a', TOOLKIT_ENV: 'e' }), none, 'shop'), {
      app: 'a',
      environment: 'e',
    });
  });
  it('a flag takes precedence over the environment', () => {
    assert.deepEqual(
      resolveContext(settings({ TOOLKIT_APP: 'a', TOOLKIT_ENV: 'e' }), { app: 'b', env: 'f' }, 'shop'),
      { app: 'b', environment: 'f' },
    );
  });
  it('a name that is invalid for the platform is refused', () => {
    assert.throws(
      () => resolveContext(settings({}), { app: null, env: 'a b' }, 'shop'),
      /"a b" is not a valid environment name/,
    );
  });
});
