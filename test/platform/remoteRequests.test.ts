/**
 * Requests to load-balanced workers of another node, whose agent dials a connection for each that is needed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_FILES, AGENT_TUNNEL, STREAM_HEADER } from '../../runtime/contract/agentProtocol.ts';
import type { DeployDocument } from '../../runtime/contract/cliDocuments.ts';
import type { PlatformRecord } from '../../runtime/contract/stateManager.ts';
import { workbench } from '../setup/toolkit.ts';
import { endpointSpec, loadBalancedSpec, TestHome, type TestPlatform, until } from './harness.ts';
import { foreignWorkers } from './processes.ts';
import { localWorkers, nodeEventsOf, SecondNode } from './secondNode.ts';

const started: { home: TestHome; second: SecondNode }[] = [];
after(() =>
  Promise.all(
    started.map(async ({ home, second }) => {
      await home.clean();
      await second.clean();
    }),
  ),
);

interface Nodes {
  home: TestHome;
  platform: TestPlatform;
  second: SecondNode;
  /** The address of the endpoint. */
  url: string;
}

async function twoNodes(): Promise<Omit<Nodes, 'url'>> {
  const home = new TestHome();
  const platform = await home.start();
  const second = new SecondNode(platform);
  started.push({ home, second });
  await second.start();
  return { home, platform, second };
}

/** Two workers of one endpoint, one on each node. */
async function onBoth(): Promise<Nodes> {
  const nodes = await twoNodes();
  const { platform, second } = nodes;
  const endpoints = [loadBalancedSpec('web', { workersMin: 2, workersMax: 2, maxConcurrency: null })];
  assert.equal((await platform.deploy({ endpoints })).state, 'succeeded');
  await until('two workers serve', async () => (await platform.endpoint('web')).workers.idle === 2);
  assert.deepEqual([localWorkers(platform).length, second.workers().length], [1, 1]);
  return { ...nodes, url: (await platform.endpoint('web')).url };
}

const onlyRemote = (version: string) => ({
  endpoints: [
    loadBalancedSpec('web', {
      workersMin: 1,
      workersMax: 1,
      maxConcurrency: null,
      env: { VERSION: version },
      fingerprint: { code: version, dependencies: 'd' },
    }),
  ],
});

/** One worker on the second node: this one has the worker of another endpoint. */
async function onSecond(): Promise<Nodes> {
  const nodes = await twoNodes();
  const { platform, second } = nodes;
  const local = endpointSpec('local', { workersMin: 1, workersMax: 1 });
  assert.equal((await platform.deploy({ app: 'other', endpoints: [local] })).state, 'succeeded');
  assert.equal((await platform.deploy(onlyRemote('1'))).state, 'succeeded');
  assert.deepEqual([localWorkers(platform).length, second.workers().length], [1, 1]);
  return { ...nodes, url: (await platform.endpoint('web')).url };
}

/** The workers that responded to this many concurrent requests. */
async function askAtOnce(platform: TestPlatform, url: string, count: number): Promise<Set<string>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => platform.request('GET', `${url}/slow=0.5`)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  return new Set(answers.map(({ body }) => String(body['worker'])));
}

async function answerOf(platform: TestPlatform, url: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${platform.key}` };
  const asking = request(url, { method, headers });
  asking.end();
  return ((await once(asking, 'response')) as [IncomingMessage])[0];
}

/** The memory of a process, MB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;
}

describe('a load-balanced endpoint with workers on two nodes', { concurrency: 2 }, () => {
  it('sends requests to both', async () => {
    const { platform, second, url } = await onBoth();
    assert.deepEqual(
      await askAtOnce(platform, url, 8),
      new Set([...localWorkers(platform), ...second.workers()]),
    );
  });

  it('uses both again after a restart of the platform', async () => {
    const { home, platform, url } = await onBoth();
    const workers = await askAtOnce(platform, url, 4);
    await platform.kill();
    const next = await home.start();
    await until('both serve again', async () => (await next.endpoint('web')).workers.idle === 2);
    assert.deepEqual(await askAtOnce(next, (await next.endpoint('web')).url, 4), workers);
  });

  it('skips the worker of a disconnected node, which stays healthy', async () => {
    const { platform, second, url } = await onBoth();
    const here = localWorkers(platform);
    process.kill(second.pid, 'SIGSTOP');
    try {
      assert.deepEqual(await askAtOnce(platform, url, 8), new Set(here));
      assert.equal((await platform.endpoint('web')).workers.unhealthy, 0);
    } finally {
      process.kill(second.pid, 'SIGCONT');
    }
  });

  it('loses only requests in flight at a killed node, and starts its workers on the other one', async () => {
    const { platform, second, url } = await onBoth();
    const outcomes: { startedAt: number; status: number }[] = [];
    const over = new AbortController();
    const clients = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const startedAt = performance.now();
        // The connection breaks after the response has begun.
        const asked = platform.request('GET', `${url}/slow=0.02`).catch(() => ({ status: 502 }));
        outcomes.push({ startedAt, status: (await asked).status });
      }
    });
    await until('requests flow', () => outcomes.length > 100);
    await second.kill();
    const goneAt = performance.now();
    await until('both workers are here', async () => {
      const { idle, running } = (await platform.endpoint('web')).workers;
      return localWorkers(platform).length === 2 && idle + running === 2;
    });
    over.abort();
    await Promise.all(clients);
    const failed = outcomes.filter(({ status }) => status !== 200);
    assert.deepEqual(
      failed.filter(({ startedAt }) => startedAt > goneAt),
      [],
    );
    assert.ok(failed.length <= clients.length, JSON.stringify(failed));
  });
});

describe('a worker of another node', { concurrency: 2 }, () => {
  it('is reached over kept connections, and its health is checked', async () => {
    const { platform, second, url } = await onSecond();
    const [worker] = second.workers();
    const first = await platform.request('GET', `${url}/served`);
    assert.equal(first.headers.get('x-worker-id'), worker);
    const again = await platform.request('GET', `${url}/served`);
    assert.ok(Number(again.body['served']) > Number(first.body['served']));
    for (const { pid, environment } of foreignWorkers(platform.url))
      if (environment['RUNPOD_POD_ID'] === worker) process.kill(pid, 'SIGSTOP');
    await until(
      'its silence is noticed',
      async () => (await platform.endpoint('web')).workers.unhealthy === 1,
    );
  });

  it('responds to every method, and streams piece by piece', async () => {
    const { platform, url } = await onSecond();
    for (const method of ['HEAD', 'OPTIONS']) {
      const answer = await answerOf(platform, `${url}/${method}`, method);
      assert.equal(answer.statusCode, 200);
      const { length } = await text(answer);
      assert.equal(length, method === 'HEAD' ? 0 : Number(answer.headers['content-length']));
    }
    const pieces = (await (await answerOf(platform, `${url}/stream=0.2`)).toArray()) as Buffer[];
    assert.deepEqual(pieces.map(String), ['piece 0\n', 'piece 1\n', 'piece 2\n']);
  });

  it('sends and receives large bodies, and stops reading for a client that does not read', async () => {
    const { platform, second, url } = await onSecond();
    const bytes = 20_000_000;
    const taken = await platform.request('POST', `${url}/x`, 'x'.repeat(bytes));
    assert.equal(taken.body['bytes'], bytes);
    const large = Buffer.concat((await (await answerOf(platform, `${url}/large`)).toArray()) as Buffer[]);
    assert.equal(large.length, bytes);
    assert.equal(large.readUInt32LE(bytes - 4), 4_999_999);

    const before = [second.pid, platform.record.pid].map(memoryOf);
    const slow = await answerOf(platform, `${url}/endless`);
    slow.once('error', () => undefined);
    await sleep(3_000);
    const grown = [second.pid, platform.record.pid].map((pid, at) => memoryOf(pid) - before[at]!);
    assert.ok(
      grown.every((megabytes) => megabytes < 30),
      grown.join(),
    );
    slow.destroy();
    await until('the worker is notified of its end', async () => {
      const { body } = await platform.request('GET', `${url}/closed`);
      return JSON.stringify(body['closed']).includes('/endless');
    });
  });

  it('that dies during a request fails only that request: the next worker responds', async () => {
    const { platform, url } = await onSecond();
    const answer = await platform.request('POST', `${url}/die`, {});
    assert.deepEqual([answer.status, answer.body['code']], [502, 'CALL_FAILED']);
    assert.equal((await platform.request('POST', `${url}/x`, 'four')).body['bytes'], 4);
  });

  it('closes its WebSocket when it is lost with its node', async () => {
    const { platform, second, url } = await onSecond();
    const socket = await platform.webSocket(`${url}/ws`);
    const closed = once(socket, 'close');
    await second.kill();
    await closed;
    await second.start();
    await until('its worker is back', () => second.workers().length > 0);
  });

  it('keeps its WebSocket when it is replaced', async () => {
    const { platform, second, url } = await onSecond();
    const [replaced] = second.workers();
    const socket = await platform.webSocket(`${url}/ws`);
    const echo = async (message: string) => {
      const answered = once(socket, 'message') as Promise<[{ data: string }]>;
      socket.send(message);
      return (await answered)[0].data;
    };
    assert.equal(await echo('before'), 'before');
    assert.equal((await platform.deploy(onlyRemote('2'))).state, 'succeeded');
    assert.notEqual((await platform.request('GET', `${url}/x`)).headers.get('x-worker-id'), replaced);
    assert.equal(await echo('after'), 'after');
    assert.ok(second.workers().includes(replaced!));
    socket.close();
    await until('it is gone then', () => !second.workers().includes(replaced!));
  });
});

it('a function of a load-balanced endpoint listens on the socket that its node gives it', async (t) => {
  const bench = workbench(t);
  const endpoint = (name: string) => `
${name} = Endpoint(name="${name}", cpu="cpu3c-1-2", workers=(1, 1))

@${name}.get("/hello")
async def ${name}_hello() -> str:
    return "hello"
`;
  const source = `from toolkit_sdk import Endpoint\n${endpoint('one')}${endpoint('two')}`;
  const project = bench.project('both', { 'web.py': source });
  const toolkit = async (...args: string[]) => {
    const ran = await bench.toolkit(project, args);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran;
  };
  await toolkit('platform', 'start');
  const { url } = JSON.parse(readFileSync(path.join(bench.home, 'platform.json'), 'utf8')) as PlatformRecord;
  const second = new SecondNode({ home: bench.home, url });
  t.after(() => second.clean());
  await second.start();
  const { loadBalanced } = (await toolkit('deploy', '--json', '--yes')).json<DeployDocument>();
  const headers = { authorization: `Bearer ${(await toolkit('platform', 'key')).stdout.trim()}` };
  const answers = await Promise.all(loadBalanced.map((each) => fetch(`${each.url}/hello`, { headers })));
  const [there, ...others] = second.workers();
  const workers = answers.map((answer) => answer.headers.get('x-worker-id'));
  assert.ok(workers.includes(there!) && others.length === 0, `${there} of ${workers.join()}`);
  assert.deepEqual(await Promise.all(answers.map((answer) => answer.json())), ['hello', 'hello']);
});

it('a stream without the token, or with an unexpected number, is refused', async () => {
  const { platform } = await twoNodes();
  const { hostname, port } = new URL(platform.url);
  const token = readFileSync(path.join(platform.home, 'platform', AGENT_FILES.token), 'utf8').trim();
  for (const [secret, status, sentence] of [
    [`${token}x`, 401, ''],
    [token, 404, 'No stream with this number is awaited. A number is valid once, for a few seconds.\n'],
  ] as const) {
    const socket = connect(Number(port), hostname);
    const headers = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${secret}\r\n${STREAM_HEADER}: ${'0'.repeat(32)}`;
    socket.write(`CONNECT ${AGENT_TUNNEL} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const answer = await text(socket);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), sentence);
  }
  const logged = nodeEventsOf(platform).map(({ msg }) => msg);
  assert.ok(logged.includes('a stream was refused: no stream with this number is awaited'));
});
