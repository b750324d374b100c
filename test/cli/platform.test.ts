/** The lifecycle of the embedded platform, controlled from the command line. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployDocument, PlatformDocument } from '../../runtime/contract/cliDocuments.ts';
import { workbench } from '../setup/toolkit.ts';

const worker = `from toolkit_sdk import Endpoint

@Endpoint(name="one", cpu="cpu3c-1-2", workers=(1, 1))
def one(x: int = 1):
    """First."""
    return x + 1
`;

/** Processes whose arguments or environment contain a folder; zombies have neither. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(folder)))
    .map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended since, or belongs to another user.
    return '';
  }
}

describe('toolkit platform', () => {
  it('a second start finds the first one, also when both start at once', async (t) => {
    const bench = workbench(t);
    const start = async (): Promise<PlatformDocument> =>
      (await bench.toolkit(bench.folder, ['platform', 'start', '--port', '0', '--json'])).json();
    const [a, b] = await Promise.all([start(), start()]);
    const c = await start();
    assert.deepEqual([b.pid, b.url], [a.pid, a.url]);
    assert.deepEqual([c.pid, c.url], [a.pid, a.url]);
  });

  it('survives the command that started it, and stop leaves no process behind', async (t) => {
    const bench = workbench(t);
    const project = bench.project('life', { 'one.py': worker, 'pyproject.toml': '' });
    const deployed = await bench.toolkit(project, ['deploy', '--json']);
    assert.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
    assert.ok(processesOf(bench.home).length >= 2, 'the platform and a worker run');
    const stopped = await bench.toolkit(project, ['platform', 'stop']);
    assert.equal(stopped.code, 0);
    assert.deepEqual(processesOf(bench.home), []);
  });

  it('state survives stop, start and kill -9: the same ids, addresses and key, and still serving', async (t) => {
    const bench = workbench(t);
    const project = bench.project('life', { 'one.py': worker, 'pyproject.toml': '' });
    // A separate port: another home can take the usual one while this platform is stopped.
    await bench.toolkit(project, ['platform', 'start', '--port', '0']);
    const first = (await bench.toolkit(project, ['deploy', '--json'])).json<DeployDocument>();
    const key = (await bench.toolkit(project, ['platform', 'key'])).stdout;
    const answer = async (): Promise<unknown> =>
      (await bench.toolkit(project, ['call', 'one', '--input', '{"x": 4}', '--json'])).json<{
        output: unknown;
      }>().output;
    assert.equal(await answer(), 5);

    await bench.toolkit(project, ['platform', 'stop']);
    assert.equal(await answer(), 5);
    assert.equal((await bench.toolkit(project, ['platform', 'key'])).stdout, key);

    const { pid } = (await bench.toolkit(project, ['platform', 'status', '--json'])).json<PlatformDocument>();
    process.kill(pid!, 'SIGKILL');
    await sleep(100);
    assert.equal(
      (await bench.toolkit(project, ['platform', 'status', '--json'])).json<PlatformDocument>().running,
      false,
    );
    assert.equal(await answer(), 5);
    const again = (await bench.toolkit(project, ['deploy', '--json'])).json<DeployDocument>();
    assert.deepEqual(again.plan.unchanged, ['one']);
    assert.deepEqual(again.queueBased, first.queueBased);
  });

  it('keeps its key in a file that only its owner can read', async (t) => {
    const bench = workbench(t);
    await bench.toolkit(bench.folder, ['platform', 'start', '--port', '0']);
    for (const file of [
      'credentials.json',
      'platform.json',
      'platform/store.sqlite',
      'platform/store.sqlite-wal',
    ]) {
      assert.equal(statSync(path.join(bench.home, file)).mode & 0o777, 0o600, file);
    }
    const key = (await bench.toolkit(bench.folder, ['platform', 'key'])).stdout.trim();
    const everywhere = readdirSync(path.join(bench.home, 'platform'), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(bench.home, 'platform', file))
      .filter((file) => statSync(file).isFile());
    for (const file of everywhere)
      assert.ok(!readFileSync(file, 'latin1').includes(key), `${file} contains the key`);
  });

  it('a rejected key is reported with its source and the hint', async (t) => {
    const bench = workbench(t);
    const project = bench.project('life', { 'one.py': worker, 'pyproject.toml': '' });
    const ran = await bench.toolkit(project, ['status', '--json'], {
      env: { PLATFORM_API_KEY: 'from-elsewhere' },
    });
    assert.equal(ran.code, 1);
    const { error } = ran.json<{ error: { code: string; message: string; hint: string } }>();
    assert.equal(error.code, 'KEY_REJECTED');
    assert.match(error.message, /environment variable PLATFORM_API_KEY/);
    assert.match(error.hint, /Unset PLATFORM_API_KEY, or set PLATFORM_API_URL/);
    assert.ok(!`${ran.stdout}${ran.stderr}`.includes('from-elsewhere'));
  });

  it('key, with no platform running, says how to start it', async (t) => {
    const bench = workbench(t);
    const ran = await bench.toolkit(bench.folder, ['platform', 'key']);
    assert.equal(ran.code, 1);
    assert.equal(ran.stdout, '');
    assert.match(ran.stderr, /toolkit platform start/);
  });
});
