/**
 * What editor and CLI attach to: the socket of a dev server, its record in TOOLKIT_HOME, and the logs of live
 * endpoints.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevMessage, DevRecord } from '../../runtime/contract/devSocket.ts';
import { LIVE_LIMITS } from '../../runtime/contract/limits.ts';
import { packageIndex } from '../build/packageIndex.ts';
import { cleanEnvironment, cli, workbench } from '../setup/toolkit.ts';
import { DevSession } from './devSession.ts';

const WORKER = `from toolkit_sdk import Endpoint


@Endpoint(name="one", cpu="cpu3c-1-2")
def one(text: str):
    print("heard", text)
    return 1
`;

describe('attaching to dev', () => {
  const bench = workbench({ after });
  const project = bench.project('app', { 'pyproject.toml': '', 'one.py': WORKER });

  const records = () =>
    globSync(path.join(bench.home, 'dev/*.json')).map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as DevRecord,
    );
  const recordOf = ({ url }: DevSession) => records().find((record) => record.url === url)!;

  /** A client of a dev socket: the messages it receives, and a function to wait for one. */
  async function attach({ socket: place }: DevRecord) {
    const socket = connect(place);
    await once(socket, 'connect');
    const received: DevMessage[] = [];
    createInterface({ input: socket }).on('line', (line) => received.push(JSON.parse(line) as DevMessage));
    const until = async (event: DevMessage['event']) => {
      for (;;) {
        const found = received.find((message) => message.event === event);
        if (found) return found;
        assert.ok(!socket.destroyed, `no ${event} among ${JSON.stringify(received)}`);
        await sleep(10);
      }
    };
    return { socket, received, until };
  }

  it('sends a new client the ready event and then each later one; only the same user can attach', async () => {
    const dev = await DevSession.start(project, bench.home);
    const record = recordOf(dev);
    const { root, pid, url, attached } = record;
    assert.deepEqual([root, pid, url, attached], [project, dev.child.pid, dev.url, false]);
    assert.equal(statSync(record.socket).mode & 0o777, 0o600);
    assert.equal(statSync(path.join(bench.home, 'dev')).mode & 0o777, 0o700);
    for (const file of globSync(path.join(bench.home, 'dev/*.json')))
      assert.equal(statSync(file).mode & 0o777, 0o600);

    const [first, second] = [await attach(record), await attach(record)];
    await first.until('ready');
    assert.deepEqual(first.received[0], await dev.event('ready'));
    await dev.run('/one', { text: 'a' });
    for (const client of [first, second]) {
      await client.until('request');
      assert.deepEqual(
        client.received.map(({ event }) => event).filter((event) => event !== 'log'),
        ['ready', 'provisioned', 'request'],
      );
    }
    first.socket.write('not JSON\n');
    await once(first.socket, 'close');
    await dev.stop();
    await second.until('stopped');
    assert.deepEqual([records(), existsSync(record.socket)], [[], false]);
  });

  it('accepts only the host that a client has registered', async () => {
    const dev = await DevSession.start(project, bench.home);
    const client = await attach(recordOf(dev));
    const ask = (name: string) =>
      dev.request('GET', '/', undefined, { host: name, origin: `https://${name}` });
    assert.equal((await ask('abc.example.dev')).status, 403);
    client.socket.write('{"allowHost":"abc.example.dev"}\n');
    assert.deepEqual(await client.until('host-allowed'), { event: 'host-allowed', host: 'abc.example.dev' });
    assert.equal((await ask('abc.example.dev')).status, 200);
    client.received.length = 0;
    client.socket.write('{"allowHost":"other.example.dev"}\n');
    await client.until('host-allowed');
    assert.deepEqual(
      [(await ask('abc.example.dev')).status, (await ask('other.example.dev')).status],
      [403, 200],
    );
    assert.equal((await dev.request('GET', '/')).status, 200);
    await dev.stop();
  });

  it('ends after its last client when an editor has started it', async () => {
    const dev = await DevSession.start(project, bench.home, ['--attached']);
    assert.equal(recordOf(dev).attached, true);
    const [first, second] = [await attach(recordOf(dev)), await attach(recordOf(dev))];
    first.socket.destroy();
    await dev.run('/one', { text: 'a' });
    await sleep(LIVE_LIMITS.unattended + 1_000);
    assert.equal(await dev.run('/one', { text: 'b' }), 1, 'one client is left');
    const ended = once(dev.child, 'exit');
    second.socket.destroy();
    await sleep(1_000);
    const again = await attach(recordOf(dev));
    await sleep(LIVE_LIMITS.unattended);
    assert.equal(dev.child.exitCode, null, 'a window that reloads attaches again');
    again.socket.destroy();
    assert.deepEqual(await ended, [0, null]);
    // Its output is a file that would grow, so events go only to its clients.
    const [ready, ...rest] = dev.events;
    assert.equal(ready!.event, 'ready');
    assert.deepEqual(rest, [{ event: 'stopped', removed: ['live-one'] }]);
  });

  it('does not end while its first build takes longer than an editor may be away', async (t) => {
    const patience = LIVE_LIMITS.unattended + 1_000;
    let isFirst = true;
    const index = await packageIndex({
      onFile: (_, response, bytes) => {
        if (!isFirst) return false;
        isFirst = false;
        setTimeout(() => response.end(bytes), patience);
        return true;
      },
    });
    t.after(() => index.close());
    // Its requirements are known only once it is downloaded.
    index.addSource({ name: 'slow' });
    const slow = bench.project('slow', {
      'pyproject.toml': '',
      'requirements.txt': 'slow==1.0\n',
      'one.py': WORKER,
    });
    const startedAt = Date.now();
    const dev = await DevSession.start(slow, bench.home, ['--attached'], { PIP_EXTRA_INDEX_URL: index.url });
    assert.ok(Date.now() - startedAt > patience, 'the build has waited for the index');
    const { until } = await attach(recordOf(dev));
    await until('ready');
    assert.equal(await dev.run('/one', { text: 'a' }), 1);
    await dev.stop();
  });

  it('removes the record of a killed dev, and keeps the others', async () => {
    const killed = await DevSession.start(project, bench.home);
    const other = await DevSession.start(project, bench.home);
    const left = recordOf(killed);
    await killed.stop('SIGKILL');
    const remains = () => [left.socket, left.parts].map((place) => existsSync(place));
    assert.deepEqual(remains(), [true, true]);
    const fresh = await DevSession.start(project, bench.home);
    assert.deepEqual(remains(), [false, false]);
    assert.ok(existsSync(recordOf(other).parts));
    assert.deepEqual(
      records()
        .map(({ url }) => url)
        .sort(),
      [other.url, fresh.url].sort(),
    );
    await (await attach(recordOf(other))).until('ready');
    await other.stop();
    await fresh.stop();
    assert.deepEqual(records(), []);
  });

  it('works when TOOLKIT_HOME is a long path', async () => {
    const home = path.join(bench.home, 'a-long-name-of-a-folder'.repeat(5));
    const dev = await DevSession.start(project, home);
    const [file] = globSync(path.join(home, 'dev/*.json'));
    const record = JSON.parse(readFileSync(file!, 'utf8')) as DevRecord;
    await (await attach(record)).until('ready');
    await dev.stop();
    assert.ok(!existsSync(record.socket));
    await bench.toolkit(project, ['platform', 'stop'], { env: { TOOLKIT_HOME: home } });
  });

  it('`toolkit logs -f` shows the logs of a live endpoint of the newest dev', async () => {
    const older = await DevSession.start(project, bench.home);
    await older.run('/one', { text: 'older' });
    const dev = await DevSession.start(project, bench.home);
    await dev.run('/one', { text: 'newer' });
    const env = { ...cleanEnvironment(), TOOLKIT_HOME: bench.home };
    const logs = spawn(process.execPath, [cli, 'logs', 'live-one', '-f', '--json'], { cwd: project, env });
    let printed = '';
    logs.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    const waitFor = async (text: string) => {
      while (!printed.includes(text)) {
        assert.equal(logs.exitCode, null);
        await sleep(20);
      }
    };
    await waitFor('heard newer');
    await dev.run('/one', { text: 'again' });
    await waitFor('heard again');
    assert.doesNotMatch(printed, /older/);
    logs.kill('SIGINT');
    await once(logs, 'exit');
    await dev.stop();
    assert.match((await bench.toolkit(project, ['logs', 'live-one'])).stdout, /heard older/);
    await older.stop();
    const none = await bench.toolkit(project, ['logs', 'live-one']);
    assert.equal(none.code, 1, none.stdout);
  });
});
