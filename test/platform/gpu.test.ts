import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { EndpointSpec } from '../../runtime/contract/appSpec.ts';
import {
  endpointSpec,
  GraphqlError,
  loadBalancedSpec,
  TestHome,
  type TestPlatform,
  until,
} from './harness.ts';
import { pathWithCards } from './pretendedCards.ts';
import { localWorkers, SecondNode } from './secondNode.ts';

const homes: TestHome[] = [];
const seconds: SecondNode[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-cards-'));
after(async () => {
  await Promise.all(homes.map((home) => home.clean()));
  await Promise.all(seconds.map((second) => second.clean()));
  rmSync(folder, { recursive: true });
});

/** A platform on a machine with these cards. */
async function machine(cards: string[], gpu: 'auto' | 'require' | 'none' = 'auto'): Promise<TestPlatform> {
  const home = new TestHome();
  homes.push(home);
  return home.start({ gpu, env: { PATH: pathWithCards(folder, cards) } });
}

/** A second machine with these cards. */
function secondMachine(platform: TestPlatform, cards: string[]): SecondNode {
  const second = new SecondNode(platform, pathWithCards(folder, cards));
  seconds.push(second);
  return second;
}

function gpuSpec(name: string, gpu: string, changes: Partial<EndpointSpec> = {}): EndpointSpec {
  return endpointSpec(name, { hardware: { gpu, gpuTypes: [] }, image: 'toolkit/base-gpu', ...changes });
}

async function cardsOf(platform: TestPlatform, name: string): Promise<unknown> {
  const { url } = await platform.endpoint(name);
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  return body['output']!['cards'];
}

test('gives each worker whole cards of its own, and jobs wait IN_QUEUE while all are taken', async () => {
  const platform = await machine(['NVIDIA L4', 'NVIDIA L4']);
  const deployed = await platform.deploy({
    endpoints: [gpuSpec('one', 'AMPERE_24', { workersMax: 3 }), endpointSpec('cpu')],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4');
  assert.equal(await cardsOf(platform, 'cpu'), '');
  const { url } = await platform.endpoint('one');
  const jobs = await Promise.all(
    [1, 2, 3].map(async () =>
      String((await platform.request('POST', `${url}/run`, { input: { sleep: 4 } })).body['id']),
    ),
  );
  await until('two run and one waits', async () => {
    const { body } = await platform.request('GET', `${url}/health`);
    return (
      Number(body['jobs']!['inProgress']) === 2 &&
      Number(body['jobs']!['inQueue']) === 1 &&
      Number(body['workers']!['throttled']) > 0
    );
  });
  const used = await Promise.all(
    jobs.map(
      async (id) => (await platform.request('GET', `${url}/status-sync/${id}`)).body['output']!['cards'],
    ),
  );
  assert.deepEqual([...new Set(used)].toSorted(), ['0', '1']);
});

test('reserves gpu_count cards, and starts two endpoints one after the other on one machine', async () => {
  const platform = await machine(['NVIDIA L4', 'NVIDIA L4']);
  const deployed = await platform.deploy({
    endpoints: [
      gpuSpec('a', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
      gpuSpec('b', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
    ],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.equal((await platform.endpoint('a')).hardware, '2 × NVIDIA L4');
  assert.equal(await cardsOf(platform, 'a'), '0,1');
  assert.equal(await cardsOf(platform, 'b'), '0,1');
  const again = await platform.deploy({
    endpoints: [
      gpuSpec('a', 'ANY', { gpuCount: 2, idleTimeout: 0, env: { VERSION: '2' } }),
      gpuSpec('b', 'ANY', { gpuCount: 2, idleTimeout: 0 }),
    ],
  });
  assert.equal(again.state, 'succeeded', JSON.stringify(again));
  await assert.rejects(
    platform.deploy({ app: 'big', endpoints: [gpuSpec('c', 'ANY', { gpuCount: 3 })] }),
    (error) =>
      error instanceof GraphqlError &&
      error.code === 'SETTING_UNSUPPORTED' &&
      /gpu_count=3.*has 2/.test(error.message),
  );
});

test('a failed deploy leaves the cards to the workers that keep running', async () => {
  const platform = await machine(['NVIDIA L4']);
  const one = (env: Record<string, string>) => gpuSpec('one', 'ANY', { workersMin: 1, workersMax: 2, env });
  await platform.deploy({ endpoints: [one({})] });
  const failed = await platform.deploy({ endpoints: [one({ FAIL_START: 'yes' })] });
  assert.equal(failed.error?.code, 'ROLLOUT_FAILED', JSON.stringify(failed));
  const { url } = await platform.endpoint('one');
  const jobs = [1, 2].map(() => platform.request('POST', `${url}/runsync`, { input: { sleep: 2 } }));
  const pids = (await Promise.all(jobs)).map(({ body }) => body['output']!['pid']);
  assert.equal(pids[0], pids[1], 'one card, one worker');
});

/** The process that a call ran in. */
async function pidOf(platform: TestPlatform, name: string): Promise<unknown> {
  const { url } = await platform.endpoint(name);
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  return body['output']!['pid'];
}

const patient = { idleTimeout: 3_600 };

test('an idle worker gives its card to a job of another endpoint, which gets it first, and to a deploy', async () => {
  const platform = await machine(['NVIDIA L4']);
  await platform.deploy({ endpoints: [gpuSpec('a', 'ANY', patient), gpuSpec('b', 'ANY', patient)] });
  assert.equal(await cardsOf(platform, 'a'), '0');
  const ended: string[] = [];
  const call = (name: string) =>
    cardsOf(platform, name).then((cards) => ended.push(`${name} ${String(cards)}`));
  const calls = [call('b')];
  await until('a gives way', async () => (await platform.endpoint('a')).workers.idle === 0);
  calls.push(call('a'));
  await Promise.all(calls);
  assert.deepEqual(ended, ['b 0', 'a 0']);
  const other = { app: 'other', endpoints: [gpuSpec('c', 'ANY', patient)] };
  assert.equal((await platform.deploy(other)).state, 'succeeded');
});

test('the endpoints of a deploy use one card in turn, and a job of another endpoint does not get in between', async () => {
  const platform = await machine(['NVIDIA L4']);
  await platform.deploy({ endpoints: [gpuSpec('one', 'ANY', { idleTimeout: 0 })] });
  await until('its worker has ended', () => localWorkers(platform).length === 0);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const deployed = platform.deploy({ app: 'other', endpoints: names.map((name) => gpuSpec(name, 'ANY')) });
  await until('a worker of the deploy starts', () => localWorkers(platform).length === 1);
  const { url } = await platform.endpoint('one');
  const served = async () => {
    const { jobs } = (await platform.request('GET', `${url}/health`)).body;
    return Number(jobs!['inProgress']) + Number(jobs!['completed']);
  };
  let state = 'running';
  // Each job makes the platform look again for a card.
  while (state === 'running' && (await served()) === 0) {
    const job = platform.request('POST', `${url}/run`, { input: {} });
    ({ state } = await Promise.race([deployed, job.then(() => ({ state: 'running' }))]));
  }
  assert.deepEqual([await served(), state], [0, 'succeeded']);
});

test('a worker that has a job, or that workersMin keeps, does not give its card', async () => {
  const platform = await machine(['NVIDIA L4', 'NVIDIA L4']);
  const kept = gpuSpec('kept', 'ANY', { ...patient, workersMin: 1, workersMax: 1 });
  await platform.deploy({
    endpoints: [kept, gpuSpec('busy', 'ANY', patient), gpuSpec('waiting', 'ANY', patient)],
  });
  const pid = await pidOf(platform, 'kept');
  const { url } = await platform.endpoint('busy');
  const long = platform.request('POST', `${url}/runsync`, { input: { sleep: 4 } });
  await until('it runs', async () => (await platform.endpoint('busy')).workers.running === 1);
  assert.equal(await cardsOf(platform, 'waiting'), (await cardsOf(platform, 'kept')) === '0' ? '1' : '0');
  assert.equal((await long).body['status'], 'COMPLETED');
  assert.equal((await platform.request('GET', `${url}/health`)).body['jobs']!['retried'], 0);
  assert.equal(await pidOf(platform, 'kept'), pid);
});

test('a different card than requested serves and is named', async () => {
  const platform = await machine(['NVIDIA L4']);
  const endpoints = [gpuSpec('one', 'ADA_24')];
  assert.deepEqual((await platform.plan({ endpoints })).notes, [
    '"one" runs on NVIDIA L4 (requested: ADA_24).',
  ]);
  await platform.deploy({ endpoints });
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4 (requested: ADA_24)');
  assert.equal(await cardsOf(platform, 'one'), '0');
});

test('under "require" the card must match: jobs wait, and every command reports it', async () => {
  const platform = await machine(['NVIDIA L4'], 'require');
  const deployed = await platform.deploy({
    endpoints: [gpuSpec('one', 'ADA_24'), gpuSpec('two', 'AMPERE_24')],
  });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.match((await platform.endpoint('one')).hardware, /^waits for a GPU/);
  const { url } = await platform.endpoint('one');
  const { body } = await platform.request('POST', `${url}/runsync?wait=1000`, { input: {} });
  assert.equal(body['status'], 'IN_QUEUE');
  assert.equal(await cardsOf(platform, 'two'), '0');
});

test('under "none" the cards are not used, which is reported', async () => {
  const platform = await machine(['NVIDIA L4'], 'none');
  await platform.deploy({ endpoints: [gpuSpec('one', 'ANY')] });
  assert.equal((await platform.endpoint('one')).hardware, 'CPU: GPUs are switched off (--gpu none)');
  assert.equal(await cardsOf(platform, 'one'), '');
});

test('uses the cards of another node for jobs and requests when this machine has none', async () => {
  const platform = await machine([]);
  const second = secondMachine(platform, ['NVIDIA A100 80GB PCIe', 'NVIDIA L4']);
  await second.start();
  const requests = loadBalancedSpec('requests', {
    hardware: { gpu: 'AMPERE_80', gpuTypes: [] },
    workersMin: 1,
  });
  const endpoints = [
    gpuSpec('jobs', 'AMPERE_24'),
    requests,
    endpointSpec('cpu', { workersMin: 4, workersMax: 4 }),
  ];
  const deployed = await platform.deploy({ endpoints });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  assert.deepEqual((await platform.endpoints()).map(({ hardware }) => hardware).toSorted(), [
    'NVIDIA A100 80GB PCIe',
    'NVIDIA L4',
    'cpu5c-4-8',
  ]);
  assert.equal(await cardsOf(platform, 'jobs'), '1');
  const answer = await platform.request('GET', `${(await platform.endpoint('requests')).url}/cards`);
  assert.equal(answer.body['cards'], '0');
  assert.ok(second.workers().includes(answer.headers.get('x-worker-id')!));
  // Some of these are on the node with the cards, but see none.
  const { url } = await platform.endpoint('cpu');
  const asked = Array.from({ length: 4 }, () =>
    platform.request('POST', `${url}/runsync`, { input: { sleep: 1 } }),
  );
  const there = (await Promise.all(asked)).filter(({ body }) =>
    second.workers().includes(String(body['workerId'])),
  );
  assert.deepEqual(new Set(there.map(({ body }) => body['output']!['cards'])), new Set(['']));
});

test('prefers a card of the requested kind on another node to one of another kind here', async () => {
  const platform = await machine(['NVIDIA L4']);
  const second = secondMachine(platform, ['NVIDIA A100 80GB PCIe']);
  await second.start();
  await platform.deploy({ endpoints: [gpuSpec('one', 'AMPERE_80', { workersMin: 2, workersMax: 3 })] });
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA A100 80GB PCIe');
  await until('the other one serves too', async () => (await platform.endpoint('one')).workers.idle === 2);
  assert.deepEqual([localWorkers(platform).length, second.workers().length], [1, 1]);
  await assert.rejects(
    platform.deploy({ app: 'big', endpoints: [gpuSpec('two', 'ANY', { gpuCount: 2 })] }),
    /gpu_count=2, but the node with the most GPUs has 1/,
  );
});

test('under "require" jobs wait until a node with the card connects, and again once it is gone', async () => {
  const platform = await machine([], 'require');
  await platform.deploy({ endpoints: [gpuSpec('one', 'AMPERE_24')] });
  const { url, hardware } = await platform.endpoint('one');
  assert.match(hardware, /^waits for a GPU: this machine has no/);
  const job = (await platform.request('POST', `${url}/run`, { input: {} })).body['id'];
  const other = secondMachine(platform, ['NVIDIA A100 80GB PCIe']);
  other.launch({ node: 'third' });
  await until('it is known', async () => /no node has/.test((await platform.endpoint('one')).hardware));
  const second = secondMachine(platform, ['NVIDIA L4']);
  await second.start();
  const { body } = await platform.request('GET', `${url}/status-sync/${job}`);
  assert.equal(body['output']!['cards'], '0');
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4');
  await second.kill();
  await until('it waits', async () => (await platform.endpoint('one')).hardware.startsWith('waits'));
});

test('while the node with the cards is away, jobs wait for it', async () => {
  const platform = await machine([]);
  const second = secondMachine(platform, ['NVIDIA L4']);
  await second.start();
  await platform.deploy({ endpoints: [gpuSpec('one', 'AMPERE_24', { idleTimeout: 0 })] });
  await until('its worker has ended', () => second.workers().length === 0);
  await second.kill();
  const { url } = await platform.endpoint('one');
  const job = (await platform.request('POST', `${url}/run`, { input: {} })).body['id'];
  await until("the job's new state is known", async () => {
    const { jobs, workers } = (await platform.request('GET', `${url}/health`)).body;
    return Number(workers!['throttled']) + Number(jobs!['completed']) > 0;
  });
  assert.equal((await platform.endpoint('one')).hardware, 'NVIDIA L4');
  await second.start();
  const { body } = await platform.request('GET', `${url}/status-sync/${job}`);
  assert.equal(body['output']!['cards'], '0');
});
