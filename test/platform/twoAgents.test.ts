/** Workers on two nodes: where they are started, and what happens when a node or the platform ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { AGENT_FILES, AGENT_PROTOCOL, AGENT_TUNNEL } from '../../runtime/contract/agentProtocol.ts';
import { encodeFrame, FrameReader } from '../../runtime/platform/drivers/frames.ts';
import { endpointSpec, isAlive, type StartOptions, TestHome, type TestPlatform, until } from './harness.ts';
import { killNodes } from './killRounds.ts';
import { agentsOf, foreignWorkers, parentOf } from './processes.ts';
import { packageWith } from './sdkCode.ts';
import { localWorkers, nodeEventsOf, SecondNode } from './secondNode.ts';

/** By home, the agents in addition to its own. A platform that stops ends them. */
const started = new Map<TestHome, SecondNode[]>();
after(() =>
  Promise.all(
    [...started].map(async ([home, seconds]) => {
      await home.clean();
      for (const second of seconds) await second.clean();
    }),
  ),
);

interface Nodes {
  home: TestHome;
  platform: TestPlatform;
  second: SecondNode;
}

async function startHome(options: StartOptions = {}): Promise<Nodes> {
  const home = new TestHome();
  started.set(home, []);
  const platform = await home.start(options);
  return { home, platform, second: anotherNode(home, platform) };
}

function anotherNode(home: TestHome, platform: TestPlatform): SecondNode {
  const node = new SecondNode(platform);
  started.get(home)!.push(node);
  return node;
}

async function twoNodes(): Promise<Nodes> {
  const nodes = await startHome();
  await nodes.second.start();
  return nodes;
}

/** Two workers of the endpoint `one`, one on each node. */
async function deploySpread({ platform, second }: Nodes): Promise<string> {
  const { state, steps } = await platform.deploy({
    endpoints: [endpointSpec('one', { workersMin: 2, workersMax: 2 })],
  });
  assert.equal(state, 'succeeded', JSON.stringify(steps));
  await untilServed(platform, 2);
  assert.deepEqual([localWorkers(platform).length, second.workers().length], [1, 1]);
  return (await platform.endpoint('one')).url;
}

async function untilServed(platform: TestPlatform, count: number): Promise<void> {
  await until(`${count} workers serve`, async () => (await platform.endpoint('one')).workers.idle === count);
}

interface LogPage {
  lines: { worker: string; message: string }[];
  cursor: string;
}

async function logsOf(platform: TestPlatform, variables: object): Promise<LogPage> {
  const query = `query($endpoint: ID!, $worker: String, $cursor: String, $limit: Int) {
    logs(endpoint: $endpoint, worker: $worker, cursor: $cursor, limit: $limit) {
      lines { worker message } cursor } }`;
  return (await platform.graphql<{ logs: LogPage }>(query, variables)).logs;
}

/** The workers that ran this many concurrent jobs. */
async function callAtOnce(platform: TestPlatform, url: string, count: number): Promise<Set<string>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      platform.request('POST', `${url}/runsync?wait=120000`, { input: { sleep: 1 } }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ body }) => String(body['status']))), new Set(['COMPLETED']));
  return new Set(answers.map(({ body }) => String(body['workerId'])));
}

/** The agent, which does nothing while this file exists. */
function hangingAgent(file: string): string {
  return `
import os, time
from toolkit_sdk._agent.main import main

while os.path.exists(${JSON.stringify(file)}):
    time.sleep(0.05)
main()
`;
}

describe('two nodes', { concurrency: 3 }, () => {
  it('share the workers, and each runs its jobs', async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    const url = await deploySpread(nodes);
    const known = [...localWorkers(platform), ...second.workers()];
    assert.deepEqual(await callAtOnce(platform, url, 2), new Set(known));
  });

  it('report what they have', async () => {
    const { platform } = await twoNodes();
    const hello = nodeEventsOf(platform).find(({ node }) => node === 'second')!;
    const { cores, memory, gpus, pythons } = hello.capacity as {
      cores: number;
      memory: number;
      gpus: string[];
      pythons: Record<string, string>;
    };
    assert.ok(cores >= 1 && cores <= cpus().length, String(cores));
    assert.ok(memory > 0 && memory < totalmem() + 1e6, String(memory));
    assert.ok(Array.isArray(gpus));
    assert.match(Object.keys(pythons).join(), /3\.\d+/);
  });

  it('provide the logs of all their workers, and remove them with the endpoint', async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    const url = await deploySpread(nodes);
    const { id } = await platform.endpoint('one');
    const workers = await callAtOnce(platform, url, 2);
    const first = await logsOf(platform, { endpoint: id });
    assert.equal(first.lines.length, 2);
    assert.deepEqual(new Set(first.lines.map(({ worker }) => worker)), workers);
    assert.deepEqual((await logsOf(platform, { endpoint: id, cursor: first.cursor })).lines, []);

    const worker = second.workers()[0]!;
    const file = path.join(second.folder, 'logs', id, `${worker}.log`);
    const long = Array.from({ length: 40_000 }, (_, number) => `line ${number} ${'.'.repeat(60)}`);
    appendFileSync(file, `${long.join('\n')}\n`);
    assert.ok(statSync(file).size > 2_000_000, 'more than is read at once');
    const messages: string[] = [];
    for (let { cursor } = first; ; ) {
      const page = await logsOf(platform, { endpoint: id, worker, cursor, limit: 20_000 });
      if (page.lines.length === 0) break;
      messages.push(...page.lines.map(({ message }) => message));
      cursor = page.cursor;
    }
    assert.deepEqual(messages, long);

    for (const { pid, environment } of foreignWorkers(platform.url))
      if (environment['RUNPOD_POD_ID'] === worker) process.kill(pid, 'SIGKILL');
    await until('the platform records the end of the worker', async () => {
      const { lines } = await logsOf(platform, { endpoint: id, worker, limit: 3 });
      return lines.some(({ message }) => message === 'The worker ended (exit code 1).');
    });
    await platform.deploy({ endpoints: [], allowRemovals: true });
    await until('its logs are gone', () => !existsSync(path.dirname(file)));
  });

  it('are adopted with their workers by a platform that starts again', async () => {
    const nodes = await twoNodes();
    const { home, platform, second } = nodes;
    const url = await deploySpread(nodes);
    const workers = await callAtOnce(platform, url, 2);
    const processes = foreignWorkers(platform.url).map(({ pid }) => pid);
    assert.equal(processes.length, 2);
    await platform.kill();
    const next = await home.start();
    await until(
      'the second node is back with its worker',
      () => nodeEventsOf(next).filter(({ node, workers }) => node === 'second' && workers === 1).length > 0,
    );
    await untilServed(next, 2);
    assert.deepEqual(await callAtOnce(next, url, 2), workers);
    assert.ok(processes.every(isAlive));
    await next.stop();
    assert.equal((await second.ended()).code, 0, 'a platform that stops ends its nodes');
    assert.ok(!processes.some(isAlive));
  });

  it('are adopted while the platform still waits for its own one', async () => {
    const nodes = await twoNodes();
    const { home, platform, second } = nodes;
    await deploySpread(nodes);
    const [kept] = second.workers();
    await platform.kill();
    // The platform waits for as long as it tolerates a silent node.
    for (const pid of agentsOf(platform.home)) process.kill(pid, 'SIGSTOP');
    const next = await home.start();
    await untilServed(next, 2);
    assert.ok(second.workers().includes(kept!));
    assert.equal(
      nodeEventsOf(next).filter(({ msg, node }) => msg === 'node agent connected' && node === 'second')
        .length,
      2,
    );
  });

  it('a node that reconnects removes the logs of endpoints that were removed in the meantime', async () => {
    const { platform, second } = await twoNodes();
    await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('other')] });
    const [one, other] = await Promise.all([platform.endpoint('one'), platform.endpoint('other')]);
    const logs = path.join(second.folder, 'logs');
    for (const id of [one.id, other.id]) {
      mkdirSync(path.join(logs, id), { recursive: true });
      appendFileSync(path.join(logs, id, 'wold.log'), 'a line\n');
    }
    await second.kill();
    await platform.deploy({ endpoints: [endpointSpec('other')], allowRemovals: true });
    assert.ok(existsSync(path.join(logs, one.id)));
    await second.start();
    await until('they are gone', () => !existsSync(path.join(logs, one.id)));
    assert.ok(existsSync(path.join(logs, other.id)));
  });

  it('when one is killed, its workers are started again on the other', async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    await deploySpread(nodes);
    const [lost] = second.workers();
    await second.kill();
    await until('two workers run on this node', () => localWorkers(platform).length === 2);
    await untilServed(platform, 2);
    const restarts = nodeEventsOf(platform).filter(
      ({ msg, worker }) => msg === 'worker ended' && worker === lost,
    );
    assert.equal(restarts.length, 1);
  });

  it("when the platform's own one is killed, the other keeps serving", async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    const url = await deploySpread(nodes);
    const [kept] = second.workers();
    for (const pid of agentsOf(platform.home)) process.kill(pid, 'SIGKILL');
    assert.ok((await callAtOnce(platform, url, 3)).has(kept!));
    await untilServed(platform, 2);
    assert.ok(second.workers().includes(kept!));
  });

  it("when the platform's own one cannot start any more, workers start on the other without waiting for it", async () => {
    const home = new TestHome();
    started.set(home, []);
    const hang = path.join(home.shared, 'hang');
    const platform = await home.start({ workerPackage: packageWith(home.folder, hangingAgent(hang)) });
    const nodes = { home, platform, second: anotherNode(home, platform) };
    await nodes.second.start();
    await deploySpread(nodes);
    writeFileSync(hang, '');
    for (const pid of agentsOf(platform.home)) process.kill(pid, 'SIGKILL');
    await until('both workers run on the other', () => nodes.second.workers().length === 2);
    const given = nodeEventsOf(platform).filter(
      ({ msg }) => msg === 'no worker can be started on this machine',
    );
    assert.deepEqual(given, [], "the platform's own one can still start");
    rmSync(hang);
    const local = () =>
      nodeEventsOf(platform).filter(({ msg, node }) => msg === 'node agent connected' && !node);
    await until("the platform's own one is back", () => local().length === 2);
  });

  it('a node that no longer hears the platform ends its workers itself', async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    await deploySpread(nodes);
    const processes = foreignWorkers(platform.url).map(({ pid }) => pid);
    await platform.kill();
    const { code, printed } = await second.ended();
    assert.equal(code, 1);
    assert.equal(printed, 'The platform no longer responds; the agent and its workers end.\n');
    const agent = agentsOf(platform.home)[0]!;
    const left = processes.filter(isAlive);
    assert.deepEqual(left.map(parentOf), [agent], 'the platform of this machine can come back');
  });

  it('a node that freezes and wakes ends its workers, which were replaced', async () => {
    const nodes = await twoNodes();
    const { platform, second } = nodes;
    await deploySpread(nodes);
    const [lost] = second.workers();
    process.kill(second.pid, 'SIGSTOP');
    await until('two workers run on this node', () => localWorkers(platform).length === 2);
    process.kill(second.pid, 'SIGCONT');
    // By itself, or by order of the platform, which it can have dialled before it looked at the clock.
    await until('its workers are gone', () => !second.workers().includes(lost!));
    await until('only those of this node are left', () => {
      const left = foreignWorkers(platform.url).map(({ environment }) => environment['RUNPOD_POD_ID']);
      return left.toSorted().join() === localWorkers(platform).toSorted().join();
    });
  });

  it('lose no acknowledged job when one of them is killed under a stream of run', async () => {
    const tally = await killNodes(2);
    assert.ok(tally.acknowledged > 20, JSON.stringify(tally));
    assert.equal(tally.lost, 0, JSON.stringify(tally));
  });
});

/** A connection of an agent with the platform's secret. */
async function dial(url: string, token: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `CONNECT ${AGENT_TUNNEL} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

function helloTo(platform: string, identity: { pid: number; instance: string }): object {
  const capacity = { cores: 1, memory: 1_000_000, gpus: [], pythons: {} };
  const same = { type: 'hello', protocol: AGENT_PROTOCOL, version: '0.1.0', node: 'second', platform };
  return { ...same, ...identity, capacity, workers: [] };
}

/** What the platform sends in response to a node's hello. */
async function greet(
  { url }: TestPlatform,
  token: string,
  identity: { pid: number; instance: string },
): Promise<{ socket: Socket; order: Record<string, unknown> }> {
  const socket = await dial(url, token);
  socket.write(encodeFrame(helloTo(url, identity)));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const [body] = [...new FrameReader().push(answer)];
  return { socket, order: JSON.parse(body!.toString()) as Record<string, unknown> };
}

describe('an agent that dials', () => {
  it('is cut if it reports anything before its hello, or says hello twice', async () => {
    const { platform } = await startHome();
    const token = readFileSync(path.join(platform.home, 'platform', AGENT_FILES.token), 'utf8').trim();
    const early = await dial(platform.url, token);
    early.write(encodeFrame({ type: 'gone', worker: 'a', signal: null, code: 0 }));
    await once(early.resume(), 'close');
    const identity = { pid: 1, instance: 'a' };
    const { socket } = await greet(platform, token, identity);
    socket.write(encodeFrame(helloTo(platform.url, identity)));
    await once(socket.resume(), 'close');
    const again = await greet(platform, token, { pid: 1, instance: 'b' });
    again.socket.destroy();
  });

  it('with another secret is refused, and ends with one sentence', async () => {
    const { platform, second } = await startHome();
    second.forgetToken();
    second.launch();
    const { code, printed } = await second.ended();
    assert.equal(code, 1);
    assert.match(
      printed,
      /^The platform at 127\.0\.0\.1:\d+ does not accept the token in \/\S+\/agent\.token\.\n$/,
    );
    const refused = nodeEventsOf(platform).filter(({ msg }) => msg.startsWith('an agent was refused'));
    assert.deepEqual(
      refused.map(({ msg }) => msg),
      ['an agent was refused: its token does not belong to this platform'],
    );
    assert.ok(!JSON.stringify(refused).includes('a-guess'));
  });

  it('without a secret, or with another purpose, gets no tunnel', async () => {
    const { platform } = await startHome();
    const { hostname, port } = new URL(platform.url);
    const token = readFileSync(path.join(platform.home, 'platform', AGENT_FILES.token), 'utf8').trim();
    for (const [target, secret, status] of [
      [AGENT_TUNNEL, '', 401],
      [AGENT_TUNNEL, `${token}x`, 401],
      [AGENT_TUNNEL, token, 200],
      ['elsewhere:443', token, 404],
    ] as const) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(
        `CONNECT ${target} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      assert.match(answer.toString(), new RegExp(`^HTTP/1\\.1 ${status} `), `${target} ${secret}`);
      if (status !== 200) await once(socket.resume(), 'close');
    }
    const mode = statSync(path.join(platform.home, 'platform', AGENT_FILES.token)).mode & 0o777;
    assert.equal(mode, 0o600);
    await platform.stop(); // An open tunnel does not keep the platform from ending.
  });

  it('with a secret that its user code could read is refused', async () => {
    const { platform, second } = await startHome();
    const token = path.join(platform.home, 'platform', AGENT_FILES.token);
    second.launch({ token });
    assert.deepEqual(await second.ended(), {
      code: 1,
      printed: `User code could read the token file ${token}: move the file into ${second.folder}.\n`,
    });
  });

  it('by a host name that the platform does not have reports what to configure', async () => {
    const { platform, second } = await startHome({ host: '0.0.0.0' });
    const { port } = new URL(platform.url);
    second.launch({ platform: `http://127.0.0.2:${port}` });
    const { code, printed } = await second.ended();
    assert.equal(code, 1);
    assert.equal(
      printed,
      `The platform does not serve the host name in http://127.0.0.2:${port}: use the address that "toolkit ` +
        'platform status" prints, or set the platform\'s option "advertise" to this address.\n',
    );
  });

  it('with a name that is in use is refused, even with the same pid, as in containers', async () => {
    const { platform } = await startHome();
    const token = readFileSync(path.join(platform.home, 'platform', AGENT_FILES.token), 'utf8').trim();
    const one = await greet(platform, token, { pid: 1, instance: 'a' });
    const other = await greet(platform, token, { pid: 1, instance: 'b' });
    assert.deepEqual(
      [one, other].map(({ order }) => order['type']),
      ['welcome', 'end'],
    );
    assert.equal(
      other.order['reason'],
      'Another agent already serves the node "second"; give this one another name.',
    );
    const refused = nodeEventsOf(platform).filter(({ msg }) => msg === 'a node agent was refused');
    assert.deepEqual(
      refused.map(({ node }) => node),
      ['second'],
    );
    const again = await greet(platform, token, { pid: 1, instance: 'a' });
    assert.equal(again.order['type'], 'welcome');
    for (const { socket } of [one, other, again]) socket.destroy();
  });

  it('with a name that is in use is refused, and the other agent continues', async () => {
    const { home, platform } = await twoNodes();
    for (const [node, reason] of [
      ['second', 'Another agent already serves the node "second"; give this one another name.'],
      ['local', 'The name "local" is reserved for the platform\'s own node.'],
    ] as const) {
      const other = anotherNode(home, platform);
      other.launch({ node });
      assert.deepEqual(await other.ended(), { code: 1, printed: `${reason}\n` });
    }
    const { state } = await platform.deploy({ endpoints: [endpointSpec('one', { workersMin: 2 })] });
    assert.equal(state, 'succeeded');
    await untilServed(platform, 2);
  });
});
