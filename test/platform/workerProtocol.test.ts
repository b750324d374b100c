import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_TEXT } from '../../runtime/platform/json/jsonText.ts';
import { endpointSpec, isAlive, type Json, TestHome, until } from './harness.ts';
import { deployManual, type ManualWorker, manualWorkers, startSilent } from './manualWorker.ts';
import { packPart } from './sdkCode.ts';

const home = new TestHome();
after(() => home.clean());
const { platform, worker, url } = await startSilent(home);

async function run(input: object): Promise<string> {
  return String((await platform.request('POST', `${url}/run`, { input })).body['id']);
}

async function status(job: string): Promise<Json> {
  return (await platform.request('GET', `${url}/status/${job}`)).body;
}

test("a worker with a valid token is ready at its first take, and gets its job's id and input", async () => {
  assert.equal((await platform.endpoint('silent')).workers.idle, 1);
  const job = await run({ a: 1 });
  const taken = await worker.take();
  assert.equal(taken.status, 200);
  assert.deepEqual([taken.body['id'], taken.body['input']], [job, { a: 1 }]);
  assert.deepEqual(await status(job).then(({ status, workerId }) => [status, workerId]), [
    'IN_PROGRESS',
    worker.id,
  ]);
  assert.equal((await worker.done(job, { output: 'x' })).status, 200);
  assert.equal((await status(job))['output'], 'x');
});

test('a batch take returns at most the requested number of jobs', async () => {
  const jobs = [await run({}), await run({}), await run({})];
  const batch = await worker.call('GET', 'job-take-batch/$ID?batch_size=2&job_in_progress=0');
  const taken = Object.values(batch.body).map((job) => String(job['id']));
  assert.deepEqual(taken, jobs.slice(0, 2));
  const rest = await worker.call('GET', 'job-take-batch/$ID?batch_size=5&job_in_progress=1');
  assert.deepEqual(
    Object.values(rest.body).map((job) => String(job['id'])),
    jobs.slice(2),
  );
  for (const job of jobs) await worker.done(job, { output: 1 });
});

test('jobs that arrive at once each wake one waiting poll, whatever the moment within a commit', async () => {
  for (let round = 0; round < 40; round += 1) {
    const polls = Array.from({ length: 4 }, () => worker.take(AbortSignal.timeout(30_000)));
    const jobs = await Promise.all([0, 1, 2, 3].map(() => run({})));
    const taken = (await Promise.all(polls)).map(({ body }) => String(body['id']));
    assert.deepEqual(taken.toSorted(), jobs.toSorted());
    await Promise.all(jobs.map((job) => worker.done(job, { output: 1 })));
  }
});

test('a job is never assigned to a closed socket', async () => {
  const gone = new AbortController();
  const polls = Array.from({ length: 5 }, () => worker.take(gone.signal));
  await sleep(50);
  gone.abort();
  await Promise.allSettled(polls);
  const job = await run({});
  const { body } = await worker.take();
  assert.equal(body['id'], job);
  const { retries } = await status(job);
  assert.equal(retries, undefined);
  await worker.done(job, { output: 1 });
});

test('HEAD takes no job, asks for no stops and renews no lease', async () => {
  const { body } = await platform.request('POST', `${url}/run`, { input: {} });
  for (const route of ['job-take/$ID', 'job-take-batch/$ID?batch_size=9', 'ping/$ID', 'job-stop/$ID'])
    assert.equal((await worker.call('HEAD', route)).status, 405, route);
  assert.equal((await worker.take()).body['id'], body['id']);
  await worker.done(String(body['id']), { output: 1 });
});

test('a job is never assigned to a poll that waits behind another one on a closed socket', async () => {
  const { hostname, port } = new URL(platform.url);
  const socket = connect(Number(port), hostname);
  const headers = `Host: ${hostname}\r\nAuthorization: ${worker.token}\r\n\r\n`;
  const poll = (route: string) => `GET /v2/${worker.endpoint}/${route}/${worker.id} HTTP/1.1\r\n${headers}`;
  socket.write(poll('job-stop') + poll('job-take') + poll('job-take'));
  await sleep(200);
  socket.destroy();
  await sleep(200);
  const job = await run({});
  assert.equal((await worker.take(AbortSignal.timeout(10_000))).body['id'], job);
  await worker.done(job, { output: 1 });
});

test('an error that is not a string fails its job with the sent value, however deeply nested', async () => {
  const job = await run({});
  await worker.take();
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const posted = await worker.call('POST', `job-done/$ID/${job}`, { text: `{"error":${deep}}` });
  assert.equal(posted.status, 200);
  const body = await status(job);
  assert.deepEqual([body['status'], body['error']], ['FAILED', deep]);
});

test('progress never completes a job, and late progress is ignored', async () => {
  const job = await run({});
  await worker.take();
  assert.equal((await worker.done(job, { status: 'IN_PROGRESS', output: '50 %' })).status, 200);
  assert.equal((await status(job))['status'], 'IN_PROGRESS');
  await worker.done(job, { output: 'all' });
  assert.equal((await worker.done(job, { status: 'IN_PROGRESS', output: 'late' })).status, 200);
  const body = await status(job);
  assert.deepEqual([body['status'], body['output']], ['COMPLETED', 'all']);
});

test('a chunk is the value of its output, or the whole body without one; one that is not JSON is refused', async () => {
  const job = await run({});
  await worker.take();
  const post = (text: string) => worker.call('POST', `job-stream/$ID/${job}`, { text });
  assert.equal((await post('{"output":{"n":1}}')).status, 200);
  assert.equal((await post('{"n":2}')).status, 200);
  assert.equal((await post('{"output":')).status, 400);
  await worker.call('POST', `job-done/$ID/${job}?isStream=true`, { body: {} });
  const body = await status(job);
  assert.deepEqual([body['status'], body['output']], ['COMPLETED', [{ n: 1 }, { n: 2 }]]);
});

test('an error is kept whole, however long it is, and null is none', async () => {
  const long = 'é'.repeat(LONG_TEXT);
  for (const [error, expected] of [
    [long, long],
    [{ long }, JSON.stringify({ long })],
    [null, undefined],
  ] as const) {
    const job = await run({});
    await worker.take();
    assert.equal((await worker.done(job, { output: 1, error })).status, 200);
    assert.equal((await status(job))['error'], expected);
  }
});

test('a result of an earlier attempt, or of a job that no worker holds, is refused with 409', async () => {
  const job = await run({});
  const first = await worker.take();
  await worker.done(job, { status: 'IN_QUEUE', counted: true });
  assert.equal((await worker.done(job, { output: 'from the queue' })).status, 409);
  const second = await worker.take();
  assert.equal(second.body['id'], job);
  const stale = await worker.done(job, { output: 'old' }, Number(first.body['attempt']));
  assert.equal(stale.status, 409);
  const unread = await worker.done(job, { output: 'old' }, Number.NaN);
  assert.equal(unread.status, 400);
  assert.equal((await status(job))['status'], 'IN_PROGRESS');
  assert.equal((await worker.done(job, { output: 'new' }, Number(second.body['attempt']))).status, 200);
  const body = await status(job);
  assert.deepEqual([body['output'], body['retries']], ['new', 1]);
  // The same result again is accepted, because its response can be lost; that of another job is not.
  assert.equal((await worker.done(job, { output: 'new' }, Number(second.body['attempt']))).status, 200);
  assert.equal((await worker.done(job, { output: 'new' })).status, 200);
  assert.equal((await worker.done('nothing-u1', { output: 1 })).status, 404);
});

test('job-stop lists the running jobs that were cancelled, and their results are refused', async () => {
  const job = await run({});
  await worker.take();
  const stop = worker.call('GET', 'job-stop/$ID');
  const cancel = await platform.request('POST', `${url}/cancel/${job}`);
  assert.deepEqual(cancel.body, { id: job, status: 'CANCELLED' });
  assert.deepEqual(await stop, { status: 200, body: { jobsToStop: [job] } });
  assert.equal((await worker.done(job, { output: 1 })).status, 409);
  assert.equal((await status(job))['status'], 'CANCELLED');
  const again = await platform.request('POST', `${url}/cancel/${job}`);
  assert.deepEqual([again.status, again.body['status']], [200, 'CANCELLED']);
});

test('a token opens only the routes of its own worker, and no client route', async () => {
  const [other] = (await deployManual(platform, {
    app: 'other',
    endpoints: [endpointSpec('other', { env: { MANUAL: '1' }, workersMin: 1, workersMax: 1 })],
  })) as [ManualWorker];
  const foreign = await worker.call('GET', `job-take/${other.id}`);
  assert.equal(foreign.status, 401);
  assert.equal((await worker.call('GET', 'health')).status, 401);
  assert.equal((await worker.call('POST', 'run', { body: { input: {} } })).status, 401);
});

for (const [what, result, answered, error] of [
  ['not JSON', 'no json', 400, 'The result is not JSON.'],
  [
    'an output of more than 20 MB',
    `{"output":"${'x'.repeat(20_000_000)}"}`,
    413,
    'The result is larger than 20 MB.',
  ],
  [
    'a body of more than 21 MB',
    `{"output":"${'x'.repeat(22_000_000)}"}`,
    413,
    'The result is larger than 20 MB.',
  ],
  [
    'an error of more than 1 MB',
    `{"error":"${'x'.repeat(1_000_000)}"}`,
    413,
    'The error is larger than 1 MB.',
  ],
] as const) {
  test(`a result that is ${what} fails its job with the reason`, async () => {
    const job = await run({});
    await worker.take();
    const answer = await worker.call('POST', `job-done/$ID/${job}`, { text: result });
    assert.equal(answer.status, answered);
    const body = await status(job);
    assert.deepEqual([body['status'], body['error']], ['FAILED', error]);
  });
}

test('a worker that continues with a cancelled job is replaced after a grace period', async () => {
  const [blocked] = await deployManual(platform, {
    app: 'blocked',
    endpoints: [endpointSpec('blocked', { env: { MANUAL: '1' }, workersMin: 1, workersMax: 1 })],
  });
  const { url: at } = (await platform.endpoints('blocked'))[0]!;
  const { body } = await platform.request('POST', `${at}/run`, { input: {} });
  const job = String(body['id']);
  await blocked!.take();
  await platform.request('POST', `${at}/cancel/${job}`);
  assert.equal((await blocked!.call('GET', `ping/$ID?job_id=${job}`)).status, 200);
  assert.ok(isAlive(blocked!.pid));
  await until('the worker was ended', async () => {
    await sleep(1_000);
    if (isAlive(blocked!.pid)) await blocked!.call('GET', `ping/$ID?job_id=${job}`);
    return !isAlive(blocked!.pid);
  });
  await until('another one runs', () =>
    manualWorkers(platform).some(({ endpoint, id }) => endpoint === blocked!.endpoint && id !== blocked!.id),
  );
});

test('a part of the artifact can be fetched whole and in ranges', async () => {
  const of = (content: string, range?: string, method = 'GET') =>
    fetch(`${platform.url}/v2/${worker.endpoint}/worker/${worker.id}/parts/${content}`, {
      method,
      headers: { authorization: worker.token, ...(range && { range }) },
    });
  const stored = readdirSync(path.join(home.folder, 'platform/parts'));
  const answers = await Promise.all(stored.map((content) => of(content)));
  const at = answers.findIndex(({ status }) => status === 200);
  const content = stored[at]!;
  const whole = Buffer.from(await answers[at]!.arrayBuffer());
  const last = whole.length - 1;
  for (const [range, start, end] of [
    ['bytes=2-', 2, last],
    ['bytes=0-0', 0, 0],
    [`bytes=1-${last + 9}`, 1, last],
    [`bytes=${last}-`, last, last],
  ] as const) {
    const answer = await of(content, range);
    assert.equal(answer.status, 206, range);
    assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${whole.length}`);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), whole.subarray(start, end + 1), range);
  }
  const beyond = await of(content, `bytes=${last + 1}-`);
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${whole.length}`]);
  const head = await of(content, undefined, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(whole.length)]);
  assert.equal((await of('0'.repeat(64))).status, 404);
});

test('a worker gets the packages of its own dependency set', async () => {
  const first = await packPart({ '_toolkit/dependencies/first/which.py': 'VALUE = "one set"' });
  const second = await packPart({ '_toolkit/dependencies/second/which.py': 'VALUE = "another set"' });
  await platform.deploy({
    app: 'sets',
    code: 'sets',
    dependencies: { first, second },
    endpoints: [
      endpointSpec('a', { dependencySet: 'first' }),
      endpointSpec('b', { dependencySet: 'second' }),
    ],
  });
  const answers = await Promise.all(
    (await platform.endpoints('sets')).map(async ({ name, url: at }) => {
      const { body } = await platform.request('POST', `${at}/runsync`, { input: { import: 'which' } });
      return `${name}: ${String(body['output'])}`;
    }),
  );
  assert.deepEqual(answers.toSorted(), ['a: one set', 'b: another set']);
});

test('a ping that reports a fault marks the worker', async () => {
  await worker.call('GET', 'ping/$ID?status=unhealthy&check=gpu&reason=the%20card%20is%20gone');
  const { body } = await platform.request('GET', `${url}/health`);
  assert.equal(body['workers']!['unhealthy'], 1);
});

test('stopPod replaces the worker', async () => {
  const job = await run({});
  await worker.take();
  await worker.done(job, { output: 1, stopPod: true });
  await until('the worker ended', () => !isAlive(worker.pid));
  await until('another one runs', () =>
    manualWorkers(platform).some(({ endpoint, id }) => endpoint === worker.endpoint && id !== worker.id),
  );
  assert.equal((await status(job))['status'], 'COMPLETED');
});
