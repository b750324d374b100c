/** What happens to the node agent and its workers when the agent fails, hangs, or is of another version. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { AGENT_PROTOCOL, type AgentStart } from '../../runtime/contract/agentProtocol.ts';
import { PLATFORM_LIMITS } from '../../runtime/contract/limits.ts';
import { encodeFrame } from '../../runtime/platform/drivers/frames.ts';
import { endpointSpec, isAlive, type Json, TestHome, type TestPlatform, until } from './harness.ts';
import { agentsOf } from './processes.ts';
import { packageWith } from './sdkCode.ts';

/** The current agent, plus a signal that breaks its connection. */
const BREAKABLE = `
import signal, socket
from toolkit_sdk._agent import platform_link
from toolkit_sdk._agent.main import main

links = []
make = platform_link.PlatformLink.__init__

def keep(self, *args):
    make(self, *args)
    links.append(self)

platform_link.PlatformLink.__init__ = keep
signal.signal(signal.SIGUSR1, lambda *_: links[0]._socket.shutdown(socket.SHUT_RDWR))
main()
`;
/** An agent with another protocol version. */
const FOREIGN = `
from toolkit_sdk._agent import agent
from toolkit_sdk._agent.main import main

agent.AGENT_PROTOCOL += 1
main()
`;

/** The agent from the time before it proved that it knows the secret. */
const OUTDATED = `
from toolkit_sdk._agent import agent, hiding, platform_dial
from toolkit_sdk._agent.main import main

agent.AGENT_PROTOCOL = 2
hiding.Hiding.hides = lambda self, file: True
platform_dial.shake_hands = lambda connection, secret: None
platform_dial.Path = lambda token: __import__("pathlib").Path("/dev/null")
main()
`;

const homes: TestHome[] = [];
after(() => Promise.all(homes.map((home) => home.clean())));

function newHome(parent?: string): TestHome {
  const home = new TestHome(parent);
  homes.push(home);
  return home;
}

async function deployOne(platform: TestPlatform): Promise<string> {
  const { state, steps } = await platform.deploy({ endpoints: [endpointSpec('one', { workersMax: 1 })] });
  assert.equal(state, 'succeeded', JSON.stringify(steps));
  return (await platform.endpoint('one')).url;
}

async function call(platform: TestPlatform, url: string, input: object): Promise<Json> {
  return (await platform.request('POST', `${url}/runsync?wait=120000`, { input })).body;
}

async function startJob(platform: TestPlatform, url: string, input: object): Promise<() => Promise<Json>> {
  const { body } = await platform.request('POST', `${url}/run`, { input });
  await until('the job runs', async () => (await platform.endpoint('one')).jobs.inProgress === 1);
  const status = `${url}/status-sync/${String(body['id'])}?wait=120000`;
  return async () => (await platform.request('GET', status)).body;
}

/** The agent of a home. A restarted platform can start a second one, which ends at once. */
async function agentOf(home: TestHome): Promise<number> {
  await until('one agent runs', () => agentsOf(home.folder).length === 1);
  return agentsOf(home.folder)[0]!;
}

describe('the node agent', { concurrency: 3 }, () => {
  it('is shared by all workers, survives a restart of the platform, and ends with it', async () => {
    const home = newHome();
    const first = await home.start();
    assert.deepEqual(agentsOf(home.folder), [], 'it is started with the first worker');
    const url = await deployOne(first);
    const agent = await agentOf(home);
    const log = path.join(home.folder, 'platform/agent.log');
    const socket = path.join(home.folder, 'platform/agent.sock');
    for (const file of [log, socket]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
    const before = await call(first, url, {});
    await first.kill();
    const second = await home.start();
    assert.equal(await agentOf(home), agent);
    const afterwards = await call(second, url, {});
    assert.equal(afterwards['output']!['pid'], before['output']!['pid']);
    await second.stop();
    assert.deepEqual(agentsOf(home.folder), []);
    assert.ok(!existsSync(socket));
  });

  it('keeps its log within the size limit while it runs', async () => {
    const home = newHome();
    const platform = await home.start();
    await deployOne(platform);
    const agent = await agentOf(home);
    const log = path.join(home.folder, 'platform/agent.log');
    appendFileSync(log, 'x'.repeat(PLATFORM_LIMITS.logBytes + 1));
    await until('it is rotated', () => existsSync(`${log}.1`) && statSync(log).size === 0);
    assert.equal(statSync(`${log}.1`).size, PLATFORM_LIMITS.logBytes + 1);
    assert.equal(await agentOf(home), agent);
  });

  it('removes the logs of unknown endpoints, which a killed platform can leave behind', async () => {
    const home = newHome();
    const logs = path.join(home.folder, 'platform/logs');
    mkdirSync(path.join(logs, 'unknown'), { recursive: true });
    const platform = await home.start();
    await deployOne(platform);
    await until(
      'they are gone',
      () => readdirSync(logs).join() !== '' && !existsSync(path.join(logs, 'unknown')),
    );
    assert.deepEqual(readdirSync(logs), [(await platform.endpoint('one')).id]);
  });

  it('takes its workers down when it is killed, and the next one gets their jobs', async () => {
    const home = newHome();
    const platform = await home.start();
    const url = await deployOne(platform);
    const worker = Number((await call(platform, url, {}))['output']!['pid']);
    const answer = await startJob(platform, url, { sleep: 1 });
    process.kill(await agentOf(home), 'SIGKILL');
    const body = await answer();
    assert.deepEqual([body['status'], body['retries']], ['COMPLETED', 1]);
    assert.notEqual(body['output']!['pid'], worker);
    assert.ok(!isAlive(worker));
  });

  it('reconnects after losing its connection, and its workers continue', async () => {
    const home = newHome();
    const platform = await home.start({ workerPackage: packageWith(home.folder, BREAKABLE) });
    const url = await deployOne(platform);
    const worker = (await call(platform, url, {}))['output']!['pid'];
    const answer = await startJob(platform, url, { sleep: 1 });
    process.kill(await agentOf(home), 'SIGUSR1');
    const body = await answer();
    assert.deepEqual(
      [body['status'], body['retries'], body['output']!['pid']],
      ['COMPLETED', undefined, worker],
    );
    await platform.stop();
    assert.ok(!isAlive(Number(worker)));
  });

  it('is killed with its workers when it hangs and one of them does not end', async () => {
    const home = newHome();
    const platform = await home.start();
    const url = await deployOne(platform);
    const worker = Number((await call(platform, url, {}))['output']!['pid']);
    const agent = await agentOf(home);
    process.kill(agent, 'SIGSTOP');
    await platform.stop();
    assert.ok(!isAlive(agent));
    assert.ok(!isAlive(worker));
  });

  it('is killed with its workers and replaced when it does not dial after a restart', async () => {
    const home = newHome();
    const first = await home.start();
    const url = await deployOne(first);
    const worker = Number((await call(first, url, {}))['output']!['pid']);
    const agent = await agentOf(home);
    process.kill(agent, 'SIGSTOP');
    await first.kill();
    const second = await home.start();
    assert.ok(!isAlive(worker));
    await until('it is gone', () => !isAlive(agent));
    assert.equal((await call(second, url, {}))['status'], 'COMPLETED');
  });

  it('is ended and replaced when it uses another protocol version', async () => {
    const home = newHome();
    const first = await home.start();
    const url = await deployOne(first);
    const agent = await agentOf(home);
    const start = startOf(agent);
    await first.kill();
    process.kill(agent, 'SIGKILL');
    await until('it is gone', () => !isAlive(agent));
    const other = packageWith(home.folder, FOREIGN);
    const foreign = spawn('python3', ['-m', 'toolkit_sdk._agent', JSON.stringify(start)], {
      env: { ...process.env, PYTHONPATH: other },
      stdio: 'ignore',
    });
    await until('it runs', () => agentsOf(home.folder).length === 1);
    const second = await home.start();
    assert.equal((await call(second, url, {}))['status'], 'COMPLETED');
    assert.ok(!isAlive(foreign.pid!));
  });

  it('ends workers that the platform does not know', async () => {
    const home = newHome();
    const first = await home.start();
    const url = await deployOne(first);
    const worker = Number((await call(first, url, {}))['output']!['pid']);
    await first.kill();
    const store = new DatabaseSync(path.join(home.folder, 'platform/store.sqlite'));
    store.exec('DELETE FROM workers');
    store.close();
    await home.start();
    await until('the worker has ended', () => !isAlive(worker));
  });

  it('fails the deploy with the reason and the path of its log when it cannot start', async () => {
    const home = newHome();
    const platform = await home.start({ workerPackage: packageWith(home.folder, 'raise SystemExit(3)\n') });
    const { state, steps } = await platform.deploy({ endpoints: [endpointSpec('one')] });
    assert.equal(state, 'failed');
    assert.match(
      steps[0]!.detail!,
      /^The worker did not start: the node agent ended with exit code 3; see .*platform\/agent\.log\.$/,
    );
  });

  it('is ended and replaced when it is from a toolkit whose agents prove nothing', async () => {
    const home = newHome();
    const first = await home.start();
    const url = await deployOne(first);
    const agent = await agentOf(home);
    const start = { ...startOf(agent), token: null };
    await first.kill();
    process.kill(agent, 'SIGKILL');
    await until('it is gone', () => !isAlive(agent));
    const outdated = spawn('python3', ['-m', 'toolkit_sdk._agent', JSON.stringify(start)], {
      env: { ...process.env, PYTHONPATH: packageWith(home.folder, OUTDATED) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const printed = text(outdated.stderr);
    await until('it runs', () => agentsOf(home.folder).length === 1);
    const second = await home.start();
    assert.equal((await call(second, url, {}))['status'], 'COMPLETED');
    assert.ok(!isAlive(outdated.pid!));
    assert.equal(
      await printed,
      'The platform uses agent protocol 3, but this agent (an older version) uses 2.\n',
    );
  });

  it('is not disturbed by connections to its platform that do not know the secret', async () => {
    const home = newHome();
    const platform = await home.start();
    const url = await deployOne(platform);
    const worker = (await call(platform, url, {}))['output']!['pid'];
    const agent = await agentOf(home);
    const capacity = { cores: 1, memory: 1, gpus: [], pythons: {} };
    const same = {
      type: 'hello',
      version: '0.1.0',
      instance: 'an-intruder',
      node: 'local',
      platform: '',
      capacity,
      workers: [],
    };
    for (const frame of [
      { type: 'ended', worker: 'w1', code: 0, signal: null },
      { ...same, protocol: AGENT_PROTOCOL, pid: process.pid },
      // The hello of an agent that an older toolkit left behind. The pid is first that of an unrelated
      // process, then that of the agent itself.
      { ...same, protocol: 2, pid: process.pid },
      { ...same, protocol: 2, pid: agent },
    ]) {
      const { received, closed } = intrude(home, [frame]);
      await closed;
      assert.equal(received(), '', JSON.stringify(frame));
    }
    const guessed = intrude(home, [
      { type: 'challenge', nonce: '0'.repeat(64) },
      { type: 'proof', proof: '0'.repeat(64) },
      { ...same, protocol: AGENT_PROTOCOL, pid: process.pid },
    ]);
    await guessed.closed;
    assert.doesNotMatch(guessed.received(), /welcome/);
    const body = await call(platform, url, {});
    assert.deepEqual([body['status'], body['output']!['pid']], ['COMPLETED', worker]);
    assert.equal(await agentOf(home), agent);
  });

  it('dials a socket in TOOLKIT_HOME that user code cannot see, however long its path is', async () => {
    const short = newHome();
    const parent = path.join(short.folder, 'a'.repeat(100));
    mkdirSync(parent);
    const home = newHome(parent);
    const platform = await home.start();
    const url = await deployOne(platform);
    assert.equal((await call(platform, url, {}))['status'], 'COMPLETED');
    const socket = startOf(await agentOf(home)).platform.slice('unix:'.length);
    assert.equal(socket, path.join(home.folder, 'platform/agent.sock'));
    await platform.stop();
    assert.ok(!existsSync(socket));
  });
});

/** Connects to the socket of a home's agent and sends frames. */
function intrude(home: TestHome, frames: object[]): { received: () => string; closed: Promise<unknown> } {
  const folder = openSync(path.join(home.folder, 'platform'), 'r');
  const intruder = connect(`/proc/self/fd/${folder}/agent.sock`);
  const chunks: Buffer[] = [];
  intruder.on('data', (chunk: Buffer) => chunks.push(chunk));
  intruder.on('error', () => undefined); // The connection was closed.
  for (const frame of frames) intruder.write(encodeFrame(frame));
  const closed = once(intruder, 'close').finally(() => closeSync(folder));
  return { received: () => Buffer.concat(chunks).toString(), closed };
}

/** The start parameters of an agent. */
function startOf(agent: number): AgentStart {
  const words = readFileSync(`/proc/${agent}/cmdline`, 'utf8').split('\0');
  return JSON.parse(words.find((word) => word.startsWith('{'))!) as AgentStart;
}
