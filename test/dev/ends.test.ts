/** The start and the end of `toolkit dev`: ports, interrupts, kills. Nothing is left behind. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformDocument, StatusDocument } from '../../runtime/contract/cliDocuments.ts';
import { freePort } from '../setup/freePort.ts';
import { type Workbench, workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const WORKER = `from toolkit_sdk import Endpoint


@Endpoint(name="one", cpu="cpu3c-1-2")
def one():
    """Say one."""
    return 1
`;

describe('start and end of dev', () => {
  const bench = workbench({ after });
  const neighbour = workbench({ after });
  const project = bench.project('app', { 'pyproject.toml': '', 'one.py': WORKER });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`removes its live endpoints after ${signal}, and ends cleanly`, async () => {
      const dev = await DevSession.start(project, bench.home);
      assert.equal(await dev.run('/one', {}), 1);
      assert.deepEqual(await live(bench, project), ['live-one']);
      assert.equal(await dev.stop(signal), 0, dev.stderr);
      assert.deepEqual(dev.events.at(-1), { event: 'stopped', removed: ['live-one'] });
      assert.deepEqual(await live(bench, project), []);
    });
  }

  it('leaves nothing behind 15 seconds after a kill', async () => {
    const dev = await DevSession.start(project, bench.home);
    await dev.run('/one', {});
    const killedAt = performance.now();
    await dev.stop('SIGKILL');
    while ((await live(bench, project)).length > 0) {
      assert.ok(performance.now() - killedAt < 25_000, 'the live endpoint is still there');
      await sleep(200);
    }
  });

  it('ends even if its platform has stopped and its project is removed', async () => {
    const copy = bench.project('gone', { 'pyproject.toml': '', 'one.py': WORKER });
    const dev = await DevSession.start(copy, bench.home);
    await dev.run('/one', {});
    await bench.toolkit(copy, ['platform', 'stop']);
    rmSync(copy, { recursive: true });
    await sleep(1_000);
    assert.equal(await dev.stop(), 0, dev.stderr);
  });

  it('does not use up the wrong keys of another platform that took the address of its own', async () => {
    const copy = bench.project('moved', { 'pyproject.toml': '', 'one.py': WORKER });
    await bench.toolkit(copy, ['platform', 'stop']);
    // Not the default port: the platforms of other tests would take it while this one is stopped.
    const own = await bench.toolkit(copy, ['platform', 'start', '--port', String(await freePort())]);
    assert.equal(own.code, 0, own.stderr);
    const dev = await DevSession.start(copy, bench.home);
    assert.equal(await dev.run('/one', {}), 1);
    const status = await bench.toolkit(copy, ['platform', 'status', '--json']);
    const { url } = status.json<PlatformDocument>();
    await bench.toolkit(copy, ['platform', 'stop']);
    const other = await neighbour.toolkit(copy, ['platform', 'start', '--port', new URL(url!).port]);
    assert.equal(other.code, 0, other.stderr);
    await dev.event('error', { is: ({ message }) => /rejected/.test(message) });
    await sleep(6_000);
    const wrong = await fetch(`${url}/graphql`, { method: 'POST', headers: { authorization: 'Bearer x' } });
    assert.equal(wrong.status, 401);
    assert.equal(await dev.stop(), 0, dev.stderr);
    await neighbour.toolkit(copy, ['platform', 'stop']);
  });

  it('keeps two runs of one project separate', async () => {
    const [first, second] = await Promise.all([
      DevSession.start(project, bench.home),
      DevSession.start(project, bench.home),
    ]);
    assert.deepEqual([await first.run('/one', {}), await second.run('/one', {})], [1, 1]);
    assert.deepEqual(await live(bench, project), ['live-one', 'live-one']);
    await first.stop();
    assert.equal(await second.run('/one', {}), 1);
    await second.stop();
    assert.deepEqual(await live(bench, project), []);
  });

  it('takes the next free port, and reports it', async () => {
    const taken = createServer();
    taken.listen(0, 'localhost');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const dev = new DevSession(project, bench.home, ['--port', String(port)]);
    const { url } = await dev.event('ready');
    assert.notEqual(new URL(url).port, String(port));
    await dev.stop();
    taken.close();
  });

  it('refuses an invalid port before anything is started', async () => {
    const ran = await bench.toolkit(project, ['dev', '--port', 'abc']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /--port must be a number between 1 and 65535, not "abc"/);
  });

  it('requires its token when other machines can connect', async () => {
    const dev = await DevSession.start(project, bench.home, ['--host', '0.0.0.0']);
    const { token, url } = await dev.event('ready');
    dev.url = url.replace('0.0.0.0', '127.0.0.1');
    assert.equal((await dev.request('GET', '/')).status, 200);
    assert.equal((await dev.request('POST', '/one/runsync', { input: {} })).status, 401);
    const wrong = { authorization: 'Bearer nothing' };
    assert.equal((await dev.request('POST', '/one/runsync', { input: {} }, wrong)).status, 401);
    const right = { authorization: `Bearer ${token}` };
    assert.equal((await dev.request('POST', '/one/runsync', { input: {} }, right)).status, 200);
    await dev.stop();
  });

  it('responds at every address of this machine when it listens at all of them', async () => {
    const dev = await DevSession.start(project, bench.home, ['--host', '0.0.0.0']);
    const { token, url } = await dev.event('ready');
    const own = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family }) => family === 'IPv4')
      .map(({ address }) => address);
    dev.url = url.replace('0.0.0.0', '127.0.0.1');
    const port = new URL(url).port;
    const bearer = { authorization: `Bearer ${token}` };
    for (const name of [...own, hostname().toUpperCase(), 'localhost']) {
      const answer = await dev.request('GET', '/one', undefined, { ...bearer, host: `${name}:${port}` });
      assert.equal(answer.status, 404, name);
    }
    for (const name of ['203.0.113.7', `${hostname()}.example.com`]) {
      const answer = await dev.request('GET', '/one', undefined, { ...bearer, host: `${name}:${port}` });
      assert.equal(answer.status, 403, name);
    }
    await dev.stop();
  });

  it('provisions endpoints again that the platform has lost', async () => {
    await bench.toolkit(project, ['app', 'create', 'app']);
    await bench.toolkit(project, ['env', 'create', 'production']);
    const dev = await DevSession.start(project, bench.home);
    await dev.run('/one', {});
    const removed = await bench.toolkit(project, ['env', 'delete', 'production', '--yes']);
    assert.equal(removed.code, 0, removed.stderr);
    const { message, hint } = await dev.event('error');
    assert.match(
      `${message} ${hint}`,
      /"live-one" no longer exists on the platform\. The next call provisions it again\./,
    );
    assert.equal((await dev.health('one')).state, 'not provisioned');
    assert.equal(await dev.run('/one', {}), 1);
    await dev.stop();
    assert.deepEqual(await live(bench, project), []);
  });

  it('can also be started with `toolkit run`', async () => {
    const ran = await bench.toolkit(project, ['run', '--port', 'abc']);
    assert.equal(ran.code, 2);
    const help = await bench.toolkit(project, ['--help']);
    assert.doesNotMatch(help.stdout, /^ {2}run\b/m);
  });
});

async function live(bench: Workbench, project: string): Promise<string[]> {
  const ran = await bench.toolkit(project, ['status', '--json']);
  return ran
    .json<StatusDocument>()
    .endpoints.filter((endpoint) => endpoint.live)
    .map(({ name }) => name);
}
