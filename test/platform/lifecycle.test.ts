import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  endpointSpec,
  isAlive,
  type Json,
  loadBalancedSpec,
  startProcess,
  TestHome,
  type TestPlatform,
  until,
} from './harness.ts';
import { foreignWorkers, parentOf, processesOf } from './processes.ts';

const homes: TestHome[] = [];
after(() => Promise.all(homes.map((home) => home.clean())));

function newHome(): TestHome {
  const home = new TestHome();
  homes.push(home);
  return home;
}

/** Pids of the workers that run now. */
const workersOf = ({ url }: TestPlatform) => foreignWorkers(url).map(({ pid }) => pid);

async function job(platform: TestPlatform, url: string, id: string): Promise<Json> {
  return (await platform.request('GET', `${url}/status-sync/${id}?wait=60000`)).body;
}

test('stop leaves no process and no record, and keeps the state for the next start', async () => {
  const home = newHome();
  const first = await home.start();
  await first.deploy({ endpoints: [endpointSpec('one'), loadBalancedSpec('web')] });
  const before = await first.endpoints();
  assert.equal(workersOf(first).length, 2);
  await first.stop();
  assert.deepEqual(processesOf(first.url), []);
  assert.ok(!existsSync(path.join(home.folder, 'platform.json')));

  const second = await home.start();
  assert.equal(second.url, first.url);
  assert.equal(second.key, first.key);
  assert.deepEqual(
    (await second.endpoints()).map(({ id, url }) => [id, url]),
    before.map(({ id, url }) => [id, url]),
  );
  const { body } = await second.request('POST', `${before[0]!.url}/runsync`, { input: {} });
  assert.equal(body['status'], 'COMPLETED');
  assert.equal((await second.request('GET', `${before[1]!.url}/x`)).status, 200);
});

for (const [how, end] of [
  ['a platform that stops', (platform: TestPlatform) => platform.stop()],
  ['a worker that is killed', (_: TestPlatform, pid: number) => process.kill(pid, 'SIGKILL')],
] as const) {
  test(`${how} also ends what the function left running in its own session`, async () => {
    const home = newHome();
    const platform = await home.start();
    await platform.deploy({ endpoints: [endpointSpec('one')] });
    const { url } = await platform.endpoint('one');
    const { body } = await platform.request('POST', `${url}/runsync`, { input: { leave: true } });
    const left = Number(body['output']!['left']);
    assert.ok(isAlive(left));
    await end(platform, Number(body['output']!['pid']));
    await until('what was left has ended', () => !isAlive(left));
  });
}

test('kill -9 of the platform loses no job, endpoint, port or worker', async () => {
  const home = newHome();
  const first = await home.start();
  await first.deploy({
    endpoints: [endpointSpec('one'), endpointSpec('paused', { workersMax: 0 }), loadBalancedSpec('web')],
  });
  const endpoints = await first.endpoints();
  const [one, paused, web] = endpoints.map(({ url }) => url) as [string, string, string];
  const running = await first.request('POST', `${one}/run`, { input: { sleep: 3 } });
  await until('the job runs', async () => (await first.endpoint('one')).jobs.inProgress === 1);
  const done = await first.request('POST', `${web}/x`, { a: 1 });
  const waiting: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    waiting.push(String((await first.request('POST', `${paused}/run`, { input: { index } })).body['id']));
  }
  const workers = workersOf(first);
  await first.kill();
  assert.deepEqual(workersOf(first), workers);

  const second = await home.start();
  assert.deepEqual(
    (await second.endpoints()).map(({ id, url }) => [id, url]),
    endpoints.map(({ id, url }) => [id, url]),
  );
  const body = await job(second, one, String(running.body['id']));
  assert.equal(body['status'], 'COMPLETED');
  assert.ok(!('retries' in body), 'the worker that had the job finished it');
  assert.equal((await second.endpoint('paused')).jobs.inQueue, 20);
  for (const id of waiting) {
    assert.equal((await second.request('GET', `${paused}/status/${id}`)).body['status'], 'IN_QUEUE');
  }
  const again = await second.request('POST', `${web}/x`, { a: 1 });
  assert.equal(again.body['worker'], done.body['worker']);
  await second.stop();
  assert.deepEqual(processesOf(second.url), []);
});

for (const file of ['credentials.json', 'platform.json']) {
  test(`a start that fails for ${file} reports the reason, and leaves the workers to the next start`, async () => {
    const home = newHome();
    const first = await home.start();
    await first.deploy({ endpoints: [endpointSpec('one'), loadBalancedSpec('web')] });
    const { url } = await first.endpoint('one');
    const before = await first.request('POST', `${url}/runsync`, { input: {} });
    await first.kill();
    const place = path.join(home.folder, file);
    renameSync(place, `${place}.kept`);
    mkdirSync(path.join(place, 'in the way'), { recursive: true });
    const { child, message } = await startProcess(home.folder);
    const exited = child.exitCode === null ? once(child, 'exit') : [child.exitCode];
    assert.ok(message.type === 'failed');
    assert.match(message.error.message, /^The platform did not start: .*EISDIR/);
    assert.deepEqual((await exited)[0], 1);
    rmSync(place, { recursive: true });
    renameSync(`${place}.kept`, place);
    const second = await home.start();
    const { body } = await second.request('POST', `${url}/runsync`, { input: {} });
    assert.equal(body['output']!['pid'], before.body['output']!['pid']);
  });
}

test('a job whose worker died with the platform is retried at the next start', async () => {
  const home = newHome();
  const first = await home.start();
  await first.deploy({ endpoints: [endpointSpec('one')] });
  const { url } = await first.endpoint('one');
  const run = await first.request('POST', `${url}/run`, { input: { sleep: 1 } });
  await until('the job runs', async () => (await first.endpoint('one')).jobs.inProgress === 1);
  // The worker's supervisor ends it.
  const supervisors = workersOf(first).map((pid) => parentOf(pid)!);
  await first.kill();
  for (const pid of supervisors) process.kill(pid, 'SIGKILL');
  const second = await home.start();
  const body = await job(second, url, String(run.body['id']));
  assert.equal(body['status'], 'COMPLETED');
  assert.equal(body['retries'], 1);
});

test('a worker of the last build continues its job through a restart, then ends', async () => {
  const home = newHome();
  const first = await home.start();
  const version = (text: string) => ({
    endpoints: [
      endpointSpec('one', { env: { VERSION: text }, fingerprint: { code: text, dependencies: 'd' } }),
    ],
  });
  await first.deploy(version('old'));
  const { url } = await first.endpoint('one');
  const { body: run } = await first.request('POST', `${url}/run`, { input: { sleep: 6 } });
  await until('the job runs', async () => (await first.endpoint('one')).jobs.inProgress === 1);
  const [old] = workersOf(first);
  assert.equal((await first.deploy(version('new'))).state, 'succeeded');
  await first.kill();

  const second = await home.start();
  const next = await second.request('POST', `${url}/runsync`, { input: {} });
  assert.equal(next.body['output']!['version'], 'new');
  assert.ok(isAlive(old!));
  const done = await job(second, url, String(run['id']));
  assert.deepEqual(
    [done['status'], done['output']!['version'], 'retries' in done],
    ['COMPLETED', 'old', false],
  );
  await until('it is gone', () => !isAlive(old!));
});

test('a second start finds the first one, also when both start at once', async () => {
  const home = newHome();
  const [one, two] = await Promise.all([startProcess(home.folder), startProcess(home.folder)]);
  assert.deepEqual([one.message.type, two.message.type], ['ready', 'ready']);
  assert.deepEqual(one.message, two.message);
  const third = await startProcess(home.folder);
  assert.deepEqual(third.message, one.message);
  await until(
    'the others end',
    () => [one, two, third].filter(({ child }) => child.exitCode === 0).length === 2,
  );
  for (const { child } of [one, two]) {
    if (child.exitCode !== null) continue;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
});

test('outlives the process that started it', async () => {
  const home = newHome();
  const platform = await home.start();
  process.kill(platform.record.pid, 'SIGHUP');
  assert.equal((await platform.request('GET', '/')).body['instance'], platform.record.instance);
});

test('endpoints that a deploy has removed do not come back with a restart', async () => {
  const home = newHome();
  const first = await home.start();
  const both = ['kept', 'removed'].map((name) => endpointSpec(name, { workersMax: 0 }));
  await first.deploy({ endpoints: both });
  await first.deploy({ endpoints: both.slice(0, 1), allowRemovals: true, revision: 1 });
  const names = async (platform: TestPlatform) => (await platform.endpoints()).map(({ name }) => name);
  assert.deepEqual(await names(first), ['kept']);
  await first.stop();
  assert.deepEqual(await names(await home.start()), ['kept']);
});

test('refuses invalid options', async () => {
  const { message } = await startProcess(newHome().folder, { driver: 'ray' });
  assert.ok(message.type === 'failed');
  assert.equal(message.error.code, 'SETTING_UNSUPPORTED');
});
