import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { endpointSpec, isAlive, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: [
      endpointSpec('killed', { workersMax: 1 }),
      endpointSpec('frozen', { workersMin: 2, workersMax: 2 }),
      endpointSpec('stuck', { workersMax: 1 }),
    ],
  });
});
after(() => home.clean());

async function pidOf(url: string): Promise<number> {
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  return Number(body['output']!['pid']);
}

async function running(name: string): Promise<boolean> {
  return (await platform.endpoint(name)).jobs.inProgress === 1;
}

test('retries the job of a worker that was killed', async () => {
  const { url } = await platform.endpoint('killed');
  const pid = await pidOf(url);
  const answer = platform.request('POST', `${url}/runsync`, { input: { sleep: 2 } });
  await until('the job runs', () => running('killed'));
  process.kill(pid, 'SIGKILL');
  const { body } = await answer;
  assert.equal(body['status'], 'COMPLETED');
  assert.equal(body['retries'], 1);
  assert.notEqual(body['output']!['pid'], pid);
  assert.equal((await platform.endpoint('killed')).jobs.retried, 1);
});

for (const [how, retries] of [
  ['counted', 1],
  ['uncounted', undefined],
] as const) {
  test(`runs a job again at once that its worker gives back ${how}`, async () => {
    const { url } = await platform.endpoint('killed');
    const { body } = await platform.request('POST', `${url}/runsync`, { input: { give_back: how } });
    assert.equal(body['status'], 'COMPLETED');
    assert.equal(body['retries'], retries);
    assert.deepEqual(body['output']!['echo'], { give_back: how });
  });
}

describe('what is frozen past a lease', { concurrency: true }, () => {
  it('is a worker that continues: its results are not accepted', async () => {
    const { url, id } = await platform.endpoint('frozen');
    await until('both workers are ready', async () => (await platform.endpoint('frozen')).workers.idle === 2);
    // The platform ends a frozen worker soon after its lease. Another worker must be ready to take its job before.
    const asked = [1, 2].map(() => platform.request('POST', `${url}/runsync`, { input: { sleep: 1 } }));
    const workers = await Promise.all(asked);
    const run = await platform.request('POST', `${url}/run`, { input: { sleep: 3 } });
    const job = String(run.body['id']);
    const current = async () => (await platform.request('GET', `${url}/status/${job}`)).body;
    await until('the job runs', () => running('frozen'));
    const first = (await current())['workerId'];
    const pid = Number(workers.find(({ body }) => body['workerId'] === first)!.body['output']!['pid']);
    process.kill(pid, 'SIGSTOP');
    await until('another worker has the job', async () => {
      const { status, workerId } = await current();
      return String(status) === 'IN_PROGRESS' && workerId !== first;
    });
    process.kill(pid, 'SIGCONT');
    const { body } = await platform.request('GET', `${url}/status-sync/${job}`);
    assert.equal(body['status'], 'COMPLETED');
    assert.equal(body['retries'], 1);
    assert.notEqual(body['output']!['pid'], pid);
    assert.equal((await platform.endpoint('frozen')).jobs.completed, 3);
    const logs = 'query($id: ID!) { logs(endpoint: $id) { lines { message worker level } cursor } }';
    await until('the frozen worker was refused', async () => {
      const data = await platform.graphql<{ logs: { lines: { message: string }[] } }>(logs, { id });
      return data.logs.lines.some(({ message }) => message === 'result refused with 409');
    });
  });

  it('is a worker that stays frozen: it is ended and replaced', async () => {
    const { url } = await platform.endpoint('stuck');
    const pid = await pidOf(url);
    const run = await platform.request('POST', `${url}/run`, { input: { sleep: 3 } });
    await until('the job runs', () => running('stuck'));
    process.kill(pid, 'SIGSTOP');
    const { body } = await platform.request('GET', `${url}/status-sync/${String(run.body['id'])}`);
    assert.equal(body['status'], 'COMPLETED');
    assert.notEqual(body['output']!['pid'], pid);
    await until('the frozen worker has ended', () => !isAlive(pid));
  });

  it('is the platform: it accepts what a worker sent meanwhile, and keeps the worker', async () => {
    const frozen = new TestHome();
    try {
      const own = await frozen.start();
      await own.deploy({ endpoints: [endpointSpec('one', { workersMax: 1 })] });
      const { url } = await own.endpoint('one');
      const first = await own.request('POST', `${url}/runsync`, { input: {} });
      const run = await own.request('POST', `${url}/run`, { input: { sleep: 2 } });
      await until('the job runs', async () => (await own.endpoint('one')).jobs.inProgress === 1);
      process.kill(own.record.pid, 'SIGSTOP');
      await sleep(WORKER_LIMITS.lease + WORKER_LIMITS.stopGrace + 1_000);
      process.kill(own.record.pid, 'SIGCONT');
      const { body } = await own.request('GET', `${url}/status-sync/${String(run.body['id'])}`);
      assert.equal(body['status'], 'COMPLETED');
      assert.equal(body['retries'], undefined);
      const next = await own.request('POST', `${url}/runsync`, { input: {} });
      assert.equal(next.body['workerId'], first.body['workerId']);
    } finally {
      await frozen.clean();
    }
  });
});
