import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { API_VERSION } from '../../runtime/contract/stateManager.ts';
import { openLog } from '../../runtime/platform/log.ts';
import {
  endpointSpec,
  functionSpec,
  GraphqlError,
  isAlive,
  type Json,
  startProcess,
  TestHome,
  type TestPlatform,
  until,
} from '../platform/harness.ts';
import { startSilent } from '../platform/manualWorker.ts';
import { codePart } from '../platform/sdkCode.ts';
import { fillDisk, smallDisk } from './mounts.ts';

/** A home that is removed after its test. */
function newHome(t: TestContext): TestHome {
  const home = new TestHome();
  t.after(() => home.clean());
  return home;
}

/** A home on its own disk of the given size. */
function smallHome(t: TestContext, bytes: number): TestHome {
  const disk = mkdtempSync(path.join(tmpdir(), 'toolkit-disk-'));
  let home: TestHome | null = null;
  const after = (unmount: () => void) =>
    t.after(async () => {
      await home?.clean();
      unmount();
      rmdirSync(disk);
    });
  smallDisk({ after }, disk, bytes);
  home = new TestHome(disk);
  return home;
}

const version = (text: string, more = {}) => endpointSpec('one', { env: { VERSION: text }, ...more });

async function call(platform: TestPlatform, input: object, name = 'one'): Promise<Json> {
  const { url } = await platform.endpoint(name);
  return (await platform.request('POST', `${url}/runsync?wait=300000`, { input })).body;
}

/** Endpoints and their builds. */
async function builds(platform: TestPlatform): Promise<[string, number][]> {
  return (await platform.endpoints()).map(({ name, build }) => [name, build]);
}

test('platform killed during a deploy: the previous build serves, the next deploy succeeds', async (t) => {
  const home = newHome(t);
  const first = await home.start();
  await first.deploy({ endpoints: [version('1')] });
  const begun = await first.begin({ endpoints: [version('2'), endpointSpec('two')] });
  assert.equal(begun.state, 'running');
  await first.kill();
  const second = await home.start();
  const deployment = await second.deployment(begun.id);
  assert.equal(deployment.state, 'failed');
  assert.equal(deployment.error?.code, 'ROLLOUT_FAILED');
  assert.deepEqual(await builds(second), [['one', 1]]);
  assert.equal((await call(second, {}))['output']!['version'], '1');
  const next = await second.deploy({ endpoints: [version('2'), endpointSpec('two')] });
  assert.deepEqual([next.state, next.build], ['succeeded', 3]);
  assert.equal((await call(second, {}))['output']!['version'], '2');
});

test('two deploys at once: one succeeds, the other gets an error code and changes nothing', async (t) => {
  const platform = await newHome(t).start();
  await platform.deploy({ environment: 'staging', endpoints: [version('1', { workersMax: 0 })] });
  const deploys = await Promise.allSettled(
    ['1', '2'].map((text) => platform.deploy({ endpoints: [version(text)] })),
  );
  const won = deploys.filter((deploy) => deploy.status === 'fulfilled');
  const [lost] = deploys.filter((deploy) => deploy.status === 'rejected');
  assert.equal(won.length, 1);
  assert.ok(lost?.reason instanceof GraphqlError);
  assert.equal(lost.reason.code, 'DEPLOY_CONFLICT');
  assert.match(lost.reason.message, /shop\/production.*Nothing was changed/);
  assert.deepEqual(await builds(platform), [['one', 1]]);
});

test('artifact changed after upload: bytes with another hash are refused and not kept', async (t) => {
  const home = newHome(t);
  const platform = await home.start();
  const bytes = randomBytes(1_000);
  const part = {
    role: 'code' as const,
    content: 'c'.repeat(64),
    sha256: 'd'.repeat(64),
    size: 1_000,
    dependencySet: null,
  };
  await assert.rejects(platform.upload(part, bytes), /422.*sha256/);
  assert.deepEqual(readdirSync(path.join(home.folder, 'platform/parts')), []);
});

test('artifact changed on the platform’s disk: noticed before a worker runs it, and uploaded again by the next deploy', async (t) => {
  const home = newHome(t);
  const platform = await home.start();
  const code = await codePart('def work(text: str):\n    return text\n');
  await platform.deploy({ code, endpoints: [functionSpec('other', { workersMax: 0 })] });
  const folder = path.join(home.folder, 'platform/parts');
  const [file] = readdirSync(folder).map((name) => path.join(folder, name));
  const damaged = readFileSync(file!);
  damaged[damaged.length >> 1]! ^= 0xff;
  writeFileSync(file!, damaged);

  const failed = await platform.deploy({ code, endpoints: [functionSpec('one')], allowRemovals: true });
  assert.equal(failed.state, 'failed');
  assert.match(failed.error!.message, /damaged/);
  assert.deepEqual(await builds(platform), [['other', 1]]);
  const next = await platform.deploy({ code, endpoints: [functionSpec('one')], allowRemovals: true });
  assert.equal(next.state, 'succeeded', JSON.stringify(next));
  assert.equal((await call(platform, { text: 'whole' }))['output'], 'whole');
});

test('port taken: a requested port is named, any other is replaced by the next free one', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const home = newHome(t);
  const { message } = await startProcess(home.folder, { port });
  assert.ok(message.type === 'failed');
  assert.equal(message.error.code, 'PORT_IN_USE');
  assert.match(message.error.message, new RegExp(String(port)));
  assert.match(message.error.hint ?? '', /--port/);

  const first = await home.start();
  const kept = Number(new URL(first.url).port);
  await first.stop();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(kept, '127.0.0.1', resolve));
  t.after(() => other.close());
  const second = await home.start({ port: null });
  assert.notEqual(second.url, first.url);
  assert.equal(second.key, first.key);
});

test('two TOOLKIT_HOMEs: each platform has its own port, key, endpoints and jobs', async (t) => {
  const [one, two] = [newHome(t), newHome(t)];
  const [first, second] = await Promise.all([one.start({ port: null }), two.start({ port: null })]);
  assert.notEqual(first.url, second.url);
  await Promise.all([
    first.deploy({ endpoints: [version('1')] }),
    second.deploy({ endpoints: [version('2')] }),
  ]);
  assert.equal((await call(first, {}))['output']!['version'], '1');
  assert.equal((await call(second, {}))['output']!['version'], '2');
  const foreign = await second.request('GET', `${(await second.endpoint('one')).url}/health`, undefined, {
    authorization: `Bearer ${first.key}`,
  });
  assert.deepEqual([foreign.status, foreign.body['code']], [401, 'KEY_REJECTED']);
  await first.stop();
  assert.equal((await call(second, {}))['output']!['version'], '2');
});

test('a newer store is refused and left unchanged', async (t) => {
  const home = newHome(t);
  await (await home.start()).stop();
  const file = path.join(home.folder, 'platform/store.sqlite');
  const store = new DatabaseSync(file);
  store.exec('PRAGMA user_version = 999');
  store.close();
  const before = readFileSync(file);
  const { message } = await startProcess(home.folder);
  assert.ok(message.type === 'failed');
  assert.equal(message.error.code, 'PLATFORM_NEWER');
  assert.match(message.error.hint ?? '', /Update the toolkit/);
  assert.deepEqual(readFileSync(file), before);
});

test('an older store is upgraded and keeps its content', async (t) => {
  const home = newHome(t);
  await (await home.start()).stop();
  const file = path.join(home.folder, 'platform/store.sqlite');
  for (const name of [file, `${file}-wal`]) rmSync(name, { force: true });
  const tables = readFileSync(path.join(import.meta.dirname, '../fixtures/store/version-1.sql'), 'utf8');
  const spec = JSON.stringify(endpointSpec('one', { workersMax: 0 }));
  const store = new DatabaseSync(file);
  store.exec(tables.replace("'SPEC'", `'${spec}'`));
  store.close();

  const platform = await home.start();
  const [endpoint] = await platform.endpoints();
  assert.deepEqual([endpoint!.name, endpoint!.build, endpoint!.jobs.completed], ['one', 2, 7]);
  const kept = await platform.request('POST', `${endpoint!.url}/stream/kept-u1?wait=1000`);
  assert.deepEqual(kept.body, { status: 'IN_QUEUE', stream: [{ output: 'chunk' }] });
  const contents = await platform.graphql<object>(
    '{ apps { name } history(app: "shop", environment: "production") { build endpoints current } }',
  );
  assert.deepEqual(contents, {
    apps: [{ name: 'shop' }],
    history: [
      { build: 2, endpoints: ['one'], current: true },
      { build: 1, endpoints: ['alpha', 'zeta'], current: false },
    ],
  });
});

test('disk full on the platform: nothing is acknowledged that is not stored, and everything continues once there is space', async (t) => {
  const home = smallHome(t, 24_000_000);
  const platform = await home.start();
  await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('paused', { workersMax: 0 })] });
  const { url } = await platform.endpoint('one');
  const { url: paused } = await platform.endpoint('paused');
  const running = await platform.request('POST', `${url}/run`, { input: { sleep: 3 } });
  await until('the job runs', async () => (await platform.endpoint('one')).jobs.inProgress === 1);
  fillDisk(home.folder);

  const accepted: string[] = [];
  const refused: { status: number; body: Json }[] = [];
  const input = { text: 'x'.repeat(50_000) };
  await until('the disk takes no more jobs', async () => {
    const answer = await platform.request('POST', `${paused}/run`, { input });
    if (answer.status === 200) accepted.push(String(answer.body['id']));
    else refused.push(answer);
    return refused.length >= 3;
  });
  for (const { status, body } of refused) {
    assert.deepEqual([status, body['code']], [507, 'STORAGE_FULL']);
    assert.match(String(body['hint']), /Free some space/);
  }
  const bytes = randomBytes(5_000_000);
  const part = {
    role: 'code' as const,
    content: 'c'.repeat(64),
    sha256: 'd'.repeat(64),
    size: bytes.length,
    dependencySet: null,
  };
  await assert.rejects(platform.upload(part, bytes), /507.*space/);
  assert.equal((await platform.endpoint('paused')).jobs.inQueue, accepted.length);

  rmSync(path.join(home.folder, 'filler'));
  const status = await platform.request('GET', `${url}/status-sync/${String(running.body['id'])}?wait=60000`);
  assert.equal(status.body['status'], 'COMPLETED');
  assert.equal((await call(platform, {}))['status'], 'COMPLETED');
  const after = await platform.request('POST', `${paused}/run`, { input });
  assert.equal(after.status, 200);
  accepted.push(String(after.body['id']));
  await platform.kill();
  const second = await home.start();
  assert.equal((await second.endpoint('paused')).jobs.inQueue, accepted.length);
  for (const id of accepted) {
    assert.equal((await second.request('GET', `${paused}/status/${id}`)).body['status'], 'IN_QUEUE');
  }
});

test('disk full on the platform: a refused job is reported to the worker that already has it, and its result is not kept', async (t) => {
  const home = smallHome(t, 24_000_000);
  const { platform, worker, url } = await startSilent(home);
  fillDisk(home.folder);
  const input = { text: 'x'.repeat(50_000) };
  for (;;) {
    const taking = worker.take();
    await sleep(50);
    const answering = platform.request('POST', `${url}/runsync`, { input });
    const id = String((await taking).body['id']);
    await worker.done(id, { output: 1 });
    const { status, body } = await answering;
    if (status === 200) continue;
    assert.deepEqual([status, body['code']], [507, 'STORAGE_FULL']);
    assert.match(String(body['error']), /nothing was stored\. A worker may already have started a job/);
    rmSync(path.join(home.folder, 'filler'));
    assert.equal((await worker.done(id, { output: 1 })).status, 404);
    assert.equal((await platform.request('GET', `${url}/status/${id}`)).status, 404);
    return;
  }
});

test('disk full when the platform starts: it reports this, and starts once there is space', async (t) => {
  const home = smallHome(t, 4_000_000);
  fillDisk(home.folder);
  const { message } = await startProcess(home.folder);
  assert.ok(message.type === 'failed');
  assert.equal(message.error.code, 'STORAGE_FULL');
  assert.match(message.error.hint ?? '', /Free some space/);
  rmSync(path.join(home.folder, 'filler'));
  assert.equal((await home.start()).record.apiVersion, API_VERSION);
});

const TALKATIVE = `
import os, time

def work(lines: int, full: str = ""):
    while full and not os.path.exists(full):
        time.sleep(0.05)
    for line in range(lines):
        print("x" * 1000)
    return {"lines": lines, "pid": os.getppid()}
`;

test('disk full under a worker’s log: log lines are lost, but no jobs', async (t) => {
  const home = smallHome(t, 40_000_000);
  const platform = await home.start();
  const code = await codePart(TALKATIVE);
  const deployed = await platform.deploy({ code, endpoints: [functionSpec('one', { workersMax: 1 })] });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const before = await call(platform, { lines: 1 });
  const { url } = await platform.endpoint('one');
  const signs = mkdtempSync(path.join(tmpdir(), 'toolkit-signs-'));
  t.after(() => rmSync(signs, { recursive: true }));
  const sign = path.join(signs, 'full');
  const run = await platform.request('POST', `${url}/run`, { input: { lines: 1_000, full: sign } });
  await until('the job runs', async () => (await platform.endpoint('one')).jobs.inProgress === 1);
  fillDisk(home.folder);
  writeFileSync(sign, '');
  const log = path.join(home.folder, 'platform/logs');
  const size = () => statfsSync(log).bavail;
  await until('the log accepts no more', () => size() === 0);
  await sleep(500);
  rmSync(path.join(home.folder, 'filler'));
  const ended = await platform.request('GET', `${url}/status-sync/${String(run.body['id'])}?wait=60000`);
  assert.equal(ended.body['status'], 'COMPLETED', JSON.stringify(ended.body));
  const after = await call(platform, { lines: 1 });
  assert.equal(after['status'], 'COMPLETED');
  assert.equal(after['output']!['pid'], before['output']!['pid'], 'the worker keeps running');
});

test('disk full under the platform’s log: lines are dropped, and written again once there is space', (t) => {
  const { folder } = smallHome(t, 1_000_000);
  const log = openLog(folder);
  log.info('before');
  fillDisk(folder);
  for (let line = 0; line < 2_000; line += 1) log.info({ line, filling: 'x'.repeat(1_000) }, 'while full');
  rmSync(path.join(folder, 'filler'));
  log.info('after');
  const lines = readFileSync(path.join(folder, 'platform/platform.log'), 'utf8').trim().split('\n');
  assert.match(lines[0]!, /"before"/);
  assert.ok(lines.length < 2_000, 'lines were dropped');
  assert.equal((JSON.parse(lines.at(-1)!) as { msg: string }).msg, 'after');
});

for (const [jump, milliseconds] of [
  ['forward', 3_600_000],
  ['back', -3_600_000],
] as const) {
  test(`clock jumps an hour ${jump}: no lease is lost, no job expires, no upload is aborted`, async (t) => {
    const home = newHome(t);
    const file = path.join(home.folder, 'clock');
    writeFileSync(file, '0');
    const preload = pathToFileURL(path.join(import.meta.dirname, '../setup/shiftedClock.ts')).href;
    const env = { SHIFTED_CLOCK_FILE: file, NODE_OPTIONS: `--import ${preload}` };
    const platform = await home.start({ env });
    await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('paused', { workersMax: 0 })] });
    const { url } = await platform.endpoint('one');
    const { url: paused } = await platform.endpoint('paused');
    const running = await platform.request('POST', `${url}/run`, { input: { sleep: 3 } });
    const waiting = await platform.request('POST', `${paused}/run`, { input: {}, policy: { ttl: 10_000 } });
    const bytes = randomBytes(1_000);
    const part = {
      role: 'code' as const,
      content: 'c'.repeat(64),
      sha256: 'd'.repeat(64),
      size: 1_000,
      dependencySet: null,
    };
    const ticket = await platform.prepare(part);
    await until('the job runs', async () => (await platform.endpoint('one')).jobs.inProgress === 1);

    writeFileSync(file, String(milliseconds));
    const { key } = (
      await platform.graphql<{ createKey: { key: string; id: string } }>(
        'mutation { createKey(scope: "invoke") { key id } }',
      )
    ).createKey;
    const { keys } = await platform.graphql<{ keys: { created: string }[] }>('{ keys { created } }');
    const latest = Math.max(...keys.map(({ created }) => Date.parse(created)));
    const least = Math.min(...keys.map(({ created }) => Date.parse(created)));
    assert.ok(key !== '' && latest - least > 3_000_000, 'the clock has jumped');

    const done = await platform.request('GET', `${url}/status-sync/${String(running.body['id'])}`);
    assert.deepEqual([done.body['status'], done.body['retries']], ['COMPLETED', undefined]);
    const took = Number(done.body['executionTime']);
    assert.ok(took >= 2_900 && took < 600_000, `executionTime ${took}`);
    const expires = await platform.request(
      'GET',
      `${paused}/status-sync/${String(waiting.body['id'])}?wait=1000`,
    );
    assert.equal(expires.body['status'], 'IN_QUEUE');
    const upload = await fetch(ticket.url!, { method: 'PUT', body: new Uint8Array(bytes) });
    assert.match(await upload.text(), /sha256/);
    const ended = await platform.request(
      'GET',
      `${paused}/status-sync/${String(waiting.body['id'])}?wait=60000`,
    );
    assert.equal(ended.body['status'], 'TIMED_OUT');
  });
}

test('a worker that cannot start: the deploy fails with its last lines and is undone', async (t) => {
  const platform = await newHome(t).start();
  const broken = endpointSpec('one', { env: { FAIL_START: '1' } });
  const first = await platform.deploy({ endpoints: [broken, endpointSpec('two')] });
  assert.deepEqual([first.state, first.error?.code], ['failed', 'ROLLOUT_FAILED']);
  assert.match(first.error!.message, /"one".*exit code 7/);
  const step = first.steps.find(({ endpoint }) => endpoint === 'one')!;
  assert.deepEqual(step.state, 'failed');
  assert.ok(step.lines.includes('Traceback: this worker was told to fail'), step.lines.join('\n'));
  assert.deepEqual(await builds(platform), []);
  const next = await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('two')] });
  assert.equal(next.state, 'succeeded');
});

/** A function whose module loads only while a file exists. */
const NEEDS_FILE = (file: string) => `
open(${JSON.stringify(file)}).close()

def work(text: str):
    import os
    return {"text": text, "pid": os.getppid()}
`;

test('a worker whose start fails later: it keeps running and fails each job with the reason', async (t) => {
  const home = newHome(t);
  const platform = await home.start();
  const file = path.join(home.shared, 'model.bin');
  writeFileSync(file, '');
  const endpoints = [functionSpec('one', { workersMax: 1 })];
  const deployed = await platform.deploy({ code: await codePart(NEEDS_FILE(file)), endpoints });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const first = await call(platform, { text: 'a' });
  assert.equal(first['output']!['text'], 'a', JSON.stringify(first));
  rmSync(file);
  process.kill(Number(first['output']!['pid']), 'SIGKILL');
  await until('the worker has ended', () => !isAlive(Number(first['output']!['pid'])));

  const [second, third] = [await call(platform, { text: 'b' }), await call(platform, { text: 'c' })];
  for (const body of [second, third]) {
    assert.equal(body['status'], 'FAILED');
    const reason = JSON.parse(String(body['error'])) as Record<string, string>;
    assert.match(`${reason['error_type']} ${reason['error_message']}`, /FileNotFoundError.*model\.bin/);
  }
  assert.equal(second['workerId'], third['workerId']);
  assert.equal((await platform.endpoint('one')).workers.unhealthy, 1);
});

test('a job that kills its workers: it is FAILED after its retries, and the next one is served', async (t) => {
  const platform = await newHome(t).start();
  await platform.deploy({ endpoints: [endpointSpec('one', { workersMax: 1 })] });
  const body = await call(platform, { crash: true });
  assert.deepEqual([body['status'], body['retries']], ['FAILED', 3]);
  const error = JSON.parse(String(body['error'])) as Record<string, string>;
  assert.deepEqual(
    [error['error_type'], error['error_message'], error['worker_id']],
    [
      'WorkerLost',
      'worker lost: The command `python3 foreign_worker.py` ended with exit code 3, 3 retries',
      body['workerId'],
    ],
  );
  assert.equal((await call(platform, {}))['status'], 'COMPLETED');
});

const HUNGRY = `
import os

def work(megabytes: int):
    held = bytearray(megabytes * 1_000_000)
    return {"held": len(held), "pid": os.getppid()}
`;

test('a function that exhausts its memory: its job fails with a reason, is not retried, and others are served', async (t) => {
  const platform = await newHome(t).start();
  const endpoints = [functionSpec('one', { hardware: { cpu: 'cpu3c-1-1' }, workersMax: 1 })];
  const deployed = await platform.deploy({ code: await codePart(HUNGRY), endpoints });
  assert.equal(deployed.state, 'succeeded', JSON.stringify(deployed));
  const small = await call(platform, { megabytes: 200 });
  assert.equal(small['status'], 'COMPLETED', JSON.stringify(small));
  const large = await call(platform, { megabytes: 2_500 });
  assert.deepEqual([large['status'], large['retries']], ['FAILED', undefined], JSON.stringify(large));
  assert.match(String(large['error']), /memory/i);
  const after = await call(platform, { megabytes: 200 });
  assert.equal(after['status'], 'COMPLETED');
  assert.equal(after['output']!['pid'], small['output']!['pid'], 'the supervisor keeps running');
});

test('a store that is not a store is named, and left unchanged', async (t) => {
  const home = newHome(t);
  await (await home.start()).stop();
  const file = path.join(home.folder, 'platform/store.sqlite');
  writeFileSync(file, 'this is no database '.repeat(1_000));
  const { message } = await startProcess(home.folder);
  assert.ok(message.type === 'failed');
  assert.equal(message.error.code, 'PLATFORM_START_FAILED');
  assert.match(message.error.message, /store\.sqlite/);
  assert.ok(existsSync(file));
});
