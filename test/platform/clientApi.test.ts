import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpointSpec, type Json, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let url: string;
let paused: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({ endpoints: [endpointSpec('one'), endpointSpec('paused', { workersMax: 0 })] });
  url = (await platform.endpoint('one')).url;
  paused = (await platform.endpoint('paused')).url;
});
after(() => home.clean());

async function ended(id: string): Promise<Json> {
  const states = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
  let body: Json = {};
  await until('the end of a job', async () => {
    body = (await platform.request('GET', `${url}/status/${id}`)).body;
    return states.includes(String(body['status']));
  });
  return body;
}

test('run answers id and IN_QUEUE, and status the whole body at the end', async () => {
  const run = await platform.request('POST', `${url}/run`, { input: { a: 1 } });
  assert.equal(run.status, 200);
  assert.deepEqual(Object.keys(run.body), ['id', 'status']);
  assert.match(String(run.body['id']), /^[0-9a-f-]{36}-u1$/);
  assert.equal(run.body['status'], 'IN_QUEUE');
  const body = await ended(String(run.body['id']));
  assert.deepEqual(Object.keys(body), ['id', 'status', 'delayTime', 'executionTime', 'workerId', 'output']);
  assert.equal(body['status'], 'COMPLETED');
  assert.ok(Number.isInteger(body['delayTime']) && Number.isInteger(body['executionTime']));
  assert.deepEqual(body['output']!['echo'], { a: 1 });
});

test('runsync answers the terminal body, with an id of its own form', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  assert.match(String(body['id']), /^sync-[0-9a-f-]{36}-u1$/);
  assert.deepEqual(body['output']!['echo'], {});
});

test('runsync answers id and state when its wait ends first', async () => {
  const { body } = await platform.request('POST', `${url}/runsync?wait=1000`, { input: { sleep: 2 } });
  assert.deepEqual(Object.keys(body), ['id', 'status']);
  assert.equal(body['status'], 'IN_PROGRESS');
  const later = await platform.request('GET', `${url}/status-sync/${String(body['id'])}`);
  assert.equal(later.body['status'], 'COMPLETED');
});

test('numbers keep their digits and their kind on the way to the worker and back', async () => {
  const answer = await fetch(`${url}/runsync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.key}` },
    body: '{"input":{"big":12345678901234567890,"float":1.0}}',
  });
  assert.match(await answer.text(), /"big": ?12345678901234567890, ?"float": ?1\.0/);
});

test('a failed job tells its error as a string', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { fail: 'no such thing' } });
  assert.equal(body['status'], 'FAILED');
  assert.ok(!('output' in body));
  assert.equal(JSON.parse(String(body['error'])).error_message, 'no such thing');
});

test('the output of a generator is the list of its yields', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, {
    input: { yields: [1, { b: 2 }, 'c'] },
  });
  assert.deepEqual(body['output'], [1, { b: 2 }, 'c']);
});

test('health has every key, always', async () => {
  const { body } = await platform.request('GET', `${paused}/health`);
  assert.deepEqual(body, {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  });
});

for (const [title, body, status] of [
  ['refuses a body that is no JSON', 'not json', 400],
  ['refuses a body without input', '{}', 400],
  ['refuses input null', '{"input":null}', 400],
  ['refuses input that is no object', '{"input":[1]}', 400],
  ['refuses a policy out of range', '{"input":{},"policy":{"executionTimeout":1}}', 400],
  ['refuses a webhook, which it would never call', '{"input":{},"webhook":"http://x"}', 422],
  ['refuses a run of more than 10 MB', `{"input":{"a":"${'x'.repeat(10_000_001)}"}}`, 413],
] as const) {
  test(title, async () => {
    const answer = await platform.request('POST', `${url}/run`, body);
    assert.equal(answer.status, status);
    assert.deepEqual(Object.keys(answer.body), ['error', 'code', 'hint']);
  });
}

test('takes JSON whatever its Content-Type, and an empty body on cancel and purge', async () => {
  const headers = { 'content-type': 'text/plain' };
  const { body } = await platform.request('POST', `${paused}/run`, { input: {} }, headers);
  const json = { 'content-type': 'application/json' };
  const cancel = await platform.request('POST', `${paused}/cancel/${String(body['id'])}`, undefined, json);
  assert.deepEqual(cancel.body, { id: body['id'], status: 'CANCELLED' });
  await platform.request('POST', `${paused}/run`, { input: {} });
  await platform.request('POST', `${paused}/run`, { input: {} });
  const purge = await platform.request('POST', `${paused}/purge-queue`, undefined, json);
  assert.deepEqual(purge.body, { removed: 2, status: 'completed' });
});

test('an Idempotency-Key gives the same job, and 409 with another body', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const first = await platform.request('POST', `${url}/run`, { input: { a: 1 } }, headers);
  const second = await platform.request('POST', `${url}/run`, { input: { a: 1 } }, headers);
  assert.equal(second.body['id'], first.body['id']);
  const other = await platform.request('POST', `${url}/run`, { input: { a: 2 } }, headers);
  assert.equal(other.status, 409);
  const both = await Promise.all(
    [1, 2].map(() => platform.request('POST', `${url}/run`, { input: {} }, { 'idempotency-key': 'order-2' })),
  );
  assert.equal(both[0]!.body['id'], both[1]!.body['id']);
});

test('ends a job that runs longer than its executionTimeout', async () => {
  const policy = { executionTimeout: 5000 };
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { sleep: 8 }, policy });
  assert.equal(body['status'], 'FAILED');
  assert.equal(body['error'], 'executionTimeout exceeded');
});

test('answers a job of another endpoint with 404', async () => {
  const { body } = await platform.request('POST', `${paused}/run`, { input: {} });
  assert.equal((await platform.request('GET', `${url}/status/${String(body['id'])}`)).status, 404);
});
