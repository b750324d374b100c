/** Keys of other platforms: the embedded platform of one home is another platform for a second home. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loginDocument, type PlatformDocument } from '../../runtime/contract/cliDocuments.ts';
import { onTerminal } from '../setup/terminal.ts';
import { type Ran, workbench } from '../setup/toolkit.ts';

describe('toolkit login', () => {
  const bench = workbench({ after });
  let url: string;
  let key: string;
  let home: string;

  before(async () => {
    const started = await bench.toolkit(bench.folder, ['platform', 'start', '--port', '0', '--json']);
    url = started.json<PlatformDocument>().url!;
    key = (await bench.toolkit(bench.folder, ['platform', 'key'])).stdout.trim();
    home = path.join(bench.folder, 'second-home');
    mkdirSync(home);
  });

  const toolkit = (args: string[], input = ''): Promise<Ran> =>
    bench.toolkit(bench.folder, args, { env: { TOOLKIT_HOME: home, PLATFORM_API_URL: url }, input });
  const credentials = (): string => path.join(home, 'credentials.json');

  it('refuses a key that the platform rejects, and stores nothing', async () => {
    const ran = await toolkit(['login', '--key', '-', '--json'], 'not-a-key');
    assert.equal(ran.code, 1);
    assert.equal(ran.json<{ error: { code: string } }>().error.code, 'KEY_REJECTED');
    assert.equal(existsSync(credentials()), false);
  });

  it('stores a key from standard input readable only by its owner, and never prints it', async () => {
    const ran = await toolkit(['login', '--key', '-', '--json'], `${key}\n`);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.deepEqual(loginDocument.parse(ran.json()), { platform: url, account: 'embedded' });
    assert.ok(!`${ran.stdout}${ran.stderr}`.includes(key));
    assert.equal(statSync(credentials()).mode & 0o777, 0o600);
    assert.equal((await toolkit(['app', 'list', '--json'])).code, 0);
  });

  it('logout removes this key, and only this one', async () => {
    const ran = await toolkit(['logout', '--json']);
    assert.deepEqual(loginDocument.parse(ran.json()), { platform: url, account: null });
    assert.ok(!readFileSync(credentials(), 'utf8').includes(key));
    assert.match((await toolkit(['app', 'list'])).stderr, /no key for the platform.*\n.*toolkit login/);
    assert.match((await toolkit(['logout'])).stdout, /There was no stored key/);
  });

  it('prompts for the key on a terminal and keeps it off the screen', async () => {
    const env = { TOOLKIT_HOME: home, PLATFORM_API_URL: url };
    const ran = await onTerminal(bench.folder, env, ['login'], [[/Key for .*:/, `${key}\r`]]);
    assert.equal(ran.code, 0, ran.screen);
    assert.match(ran.screen, /Logged in to/);
    assert.ok(!ran.screen.includes(key), 'the key is on the screen');
    assert.equal((await toolkit(['app', 'list'])).code, 0);
  });

  it('Ctrl+C at the prompt stores nothing and exits 130', async () => {
    await toolkit(['logout']);
    const env = { TOOLKIT_HOME: home, PLATFORM_API_URL: url };
    const ran = await onTerminal(bench.folder, env, ['login'], [[/Key for .*:/, 'half\u0003']]);
    assert.equal(ran.code, 130, ran.screen);
    assert.equal(readFileSync(credentials(), 'utf8').trim(), '{}');
  });

  it('does not change the key of its own home’s platform, even by its address', async () => {
    const env = { PLATFORM_API_URL: url };
    for (const args of [['logout'], ['login', '--key', '-']]) {
      const ran = await bench.toolkit(bench.folder, args, { env, input: key });
      assert.equal(ran.code, 2, ran.stderr);
      assert.match(ran.stderr, /manages its own key/);
    }
    assert.equal((await bench.toolkit(bench.folder, ['platform', 'key'])).stdout.trim(), key);
  });

  it('reports how the embedded platform gets a new key when its own is lost', async () => {
    const own = path.join(bench.home, 'credentials.json');
    rmSync(own);
    for (const args of [
      ['app', 'list'],
      ['platform', 'key'],
    ]) {
      const ran = await bench.toolkit(bench.folder, [...args, '--json']);
      const { error } = ran.json<{ error: { code: string; hint: string } }>();
      assert.equal(error.code, 'KEY_MISSING');
      assert.match(error.hint, /"toolkit platform stop" and "toolkit platform start"/);
    }
    await bench.toolkit(bench.folder, ['platform', 'stop']);
    assert.equal((await bench.toolkit(bench.folder, ['platform', 'start'])).code, 0);
    assert.equal((await bench.toolkit(bench.folder, ['app', 'list'])).code, 0);
  });
});
