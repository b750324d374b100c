import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import { endpointSpec, type Json, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let url: string;
let paused: string;
let single: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: [
      endpointSpec('one'),
      endpointSpec('single', { workersMax: 1 }),
      endpointSpec('paused', { workersMax: 0 }),
    ],
  });
  url = (await platform.endpoint('one')).url;
  paused = (await platform.endpoint('paused')).url;
  single = (await platform.endpoint('single')).url;
});
after(() => home.clean());

async function ended(id: string, at = url): Promise<Json> {
  const states = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
  let body: Json = {};
  await until('the end of a job', async () => {
    body = (await platform.request('GET', `${at}/status/${id}`)).body;
    return states.includes(String(body['status']));
  });
  return body;
}

test('refuses a body that is not UTF-8 instead of passing on other characters', async () => {
  const body = Buffer.from('7b22696e707574223a7b2278223a22fffe227d7d', 'hex');
  const headers = { authorization: `Bearer ${platform.key}` };
  const answer = await fetch(`${url}/run`, { method: 'POST', headers, body });
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /The body is not UTF-8\./);
});

test('run returns id and IN_QUEUE, and status returns the whole body at the end', async () => {
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

test('runsync returns the final body, with its own form of id', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, { input: {} });
  assert.match(String(body['id']), /^sync-[0-9a-f-]{36}-u1$/);
  assert.deepEqual(body['output']!['echo'], {});
});

test('runsync returns id and state when its wait ends first', async () => {
  const { body } = await platform.request('POST', `${url}/runsync?wait=1000`, { input: { sleep: 2 } });
  assert.deepEqual(Object.keys(body), ['id', 'status']);
  assert.equal(body['status'], 'IN_PROGRESS');
  const later = await platform.request('GET', `${url}/status-sync/${String(body['id'])}`);
  assert.equal(later.body['status'], 'COMPLETED');
});

test('numbers keep their digits and type on the way to the worker and back', async () => {
  const answer = await fetch(`${url}/runsync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.key}` },
    body: '{"input":{"big":12345678901234567890,"float":1.0}}',
  });
  assert.match(await answer.text(), /"big": ?12345678901234567890, ?"float": ?1\.0/);
});

test('a failed job reports its error as a string', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { fail: 'no such thing' } });
  assert.equal(body['status'], 'FAILED');
  assert.ok(!('output' in body));
  assert.equal(JSON.parse(String(body['error'])).error_message, 'no such thing');
});

test('the output of a generator is the list of yielded values', async () => {
  const { body } = await platform.request('POST', `${url}/runsync`, {
    input: { yields: [1, { b: 2 }, 'c'] },
  });
  assert.deepEqual(body['output'], [1, { b: 2 }, 'c']);
});

test('health always has every key', async () => {
  const { body } = await platform.request('GET', `${paused}/health`);
  assert.deepEqual(body, {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  });
});

for (const [title, body, status] of [
  ['refuses a body that is not JSON', 'not json', 400],
  ['refuses a body without input', '{}', 400],
  ['refuses input null', '{"input":null}', 400],
  ['refuses an input that is not an object', '{"input":[1]}', 400],
  ['refuses a policy out of range', '{"input":{},"policy":{"executionTimeout":1}}', 400],
  ['refuses a ttl out of range', '{"input":{},"policy":{"ttl":9999}}', 400],
  ['refuses a lowPriority that is not a boolean', '{"input":{},"policy":{"lowPriority":1}}', 400],
  ['refuses a policy that is not an object', '{"input":{},"policy":7}', 400],
  ['refuses a run of more than 10 MB', `{"input":{"a":"${'x'.repeat(10_000_001)}"}}`, 413],
] as const) {
  test(title, async () => {
    const answer = await platform.request('POST', `${url}/run`, body);
    assert.equal(answer.status, status);
    assert.deepEqual(Object.keys(answer.body), ['error', 'code', 'hint']);
  });
}

test('runsync accepts more than run, up to 20 MB', async () => {
  const body = (size: number) => `{"input":{"a":"${'x'.repeat(size)}"}}`;
  assert.equal(
    (await platform.request('POST', `${url}/runsync`, body(12_000_000))).body['status'],
    'COMPLETED',
  );
  const refused = await platform.request('POST', `${url}/runsync`, body(20_000_001));
  assert.deepEqual([refused.status, refused.body['code']], [413, 'PAYLOAD_TOO_LARGE']);
});

test('accepts JSON whatever its Content-Type, and an empty body on cancel and purge', async () => {
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

test('an Idempotency-Key returns the same job, and 409 with another body', async () => {
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

test('a repeated request with its Idempotency-Key returns the state that the job has by then', async () => {
  const headers = { 'idempotency-key': 'order-3' };
  const first = await platform.request('POST', `${url}/run`, { input: { a: 1 } }, headers);
  await ended(String(first.body['id']));
  const { body } = await platform.request('POST', `${url}/run`, { input: { a: 1 } }, headers);
  assert.equal(body['status'], 'COMPLETED');
  assert.deepEqual(body['output']!['echo'], { a: 1 });
});

test('ends a job that runs longer than its executionTimeout', async () => {
  const policy = { executionTimeout: 5000 };
  const { body } = await platform.request('POST', `${url}/runsync`, { input: { sleep: 8 }, policy });
  assert.equal(body['status'], 'FAILED');
  assert.equal(body['error'], 'executionTimeout exceeded');
});

test('returns 404 for a job of another endpoint', async () => {
  const { body } = await platform.request('POST', `${paused}/run`, { input: {} });
  assert.equal((await platform.request('GET', `${url}/status/${String(body['id'])}`)).status, 404);
});

async function submitted(to: string, body: object): Promise<string> {
  const { body: answer } = await platform.request('POST', `${to}/run`, body);
  return String(answer['id']);
}

async function read(id: string, wait = ''): Promise<Json> {
  return (await platform.request('GET', `${url}/stream/${id}${wait}`)).body;
}

/** The outputs of one or more stream responses. */
function outputs(...bodies: Json[]): unknown[] {
  return bodies.flatMap((body) => Object.values(body['stream']!).map((chunk) => chunk['output']));
}

test('stream returns each chunk once and in order, while the job runs and after its end', async () => {
  const id = await submitted(url, { input: { yields: [1, 2], sleep_after: 2 } });
  const first = await read(id);
  assert.equal(first['status'], 'IN_PROGRESS');
  const responses: Json[] = [first];
  while (outputs(...responses).length < 2) responses.push(await read(id));
  assert.deepEqual(outputs(...responses), [1, 2]);
  const last = await platform.request('POST', `${url}/stream/${id}`);
  assert.deepEqual(last.body, { status: 'COMPLETED', stream: [] });
  assert.deepEqual((await ended(id))['output'], [1, 2]);

  const unread = await submitted(url, { input: { yields: ['a', { b: 1 }, 'c'] } });
  await ended(unread);
  const all = await read(unread);
  assert.deepEqual([all['status'], outputs(all)], ['COMPLETED', ['a', { b: 1 }, 'c']]);
  assert.deepEqual(await read(unread), { status: 'COMPLETED', stream: [] });
  assert.equal((await platform.request('GET', `${url}/stream/nothing-u1`)).status, 404);
});

test('stream of a job that has yielded nothing waits for the requested time', async () => {
  const id = await submitted(paused, { input: {} });
  const { body } = await platform.request('GET', `${paused}/stream/${id}?wait=1`);
  assert.deepEqual(body, { status: 'IN_QUEUE', stream: [] });
  await platform.request('POST', `${paused}/cancel/${id}`);
});

test('retry runs a failed job again, with its id and input', async () => {
  // One worker, which remembers that it has failed the job before.
  const id = await submitted(single, { input: { fail_first: 'this time' } });
  assert.equal((await ended(id, single))['status'], 'FAILED');
  const retry = await platform.request('POST', `${single}/retry/${id}`);
  assert.deepEqual(retry.body, { id, status: 'IN_QUEUE' });
  const body = await ended(id, single);
  assert.equal(body['status'], 'COMPLETED');
  assert.deepEqual(body['output']!['echo'], { fail_first: 'this time' });
  const wrong = await platform.request('POST', `${single}/retry/${id}`);
  assert.equal(wrong.status, 409);
  assert.match(String(wrong.body['error']), /COMPLETED/);
  assert.equal((await platform.request('POST', `${single}/retry/nothing-u1`)).status, 404);
});

test('retry puts a timed-out job back in the queue for its whole ttl', async () => {
  const id = await submitted(paused, { input: {}, policy: { ttl: 10_000 } });
  const body = (await platform.request('GET', `${paused}/status-sync/${id}?wait=60000`)).body;
  assert.deepEqual([body['status'], body['error']], ['TIMED_OUT', 'ttl exceeded']);
  await platform.request('POST', `${paused}/retry/${id}`);
  const again = await platform.request('POST', `${paused}/status-sync/${id}?wait=1000`);
  assert.deepEqual(again.body, { id, status: 'IN_QUEUE' });
  await platform.request('POST', `${paused}/cancel/${id}`);
});

test('cancel stops a running job and frees its worker for the next', async () => {
  const id = await submitted(url, { input: { sleep: 2 } });
  await until('the job runs', async () => {
    const { body } = await platform.request('GET', `${url}/status/${id}`);
    return String(body['status']) === 'IN_PROGRESS';
  });
  const { body } = await platform.request('POST', `${url}/cancel/${id}`);
  assert.deepEqual(body, { id, status: 'CANCELLED' });
  const after = await ended(id);
  assert.deepEqual([after['status'], after['output']], ['CANCELLED', undefined]);
  assert.equal((await platform.request('POST', `${url}/runsync`, { input: {} })).body['status'], 'COMPLETED');
});

test('purge removes waiting jobs and leaves running ones', async () => {
  const running = await submitted(single, { input: { sleep: 2 } });
  await until('the job runs', async () => (await platform.endpoint('single')).jobs.inProgress === 1);
  const waiting = await submitted(single, { input: {} });
  const { body } = await platform.request('POST', `${single}/purge-queue`);
  assert.deepEqual(body, { removed: 1, status: 'completed' });
  const states = await Promise.all(
    [running, waiting].map((id) => platform.request('GET', `${single}/status-sync/${id}`)),
  );
  assert.deepEqual(
    states.map((answer) => answer.body['status']),
    ['COMPLETED', 'CANCELLED'],
  );
});

test('a job of low priority waits for jobs that came after it', async () => {
  await submitted(single, { input: { sleep: 1 } });
  await until('the job runs', async () => (await platform.endpoint('single')).jobs.inProgress === 1);
  const low = await submitted(single, { input: {}, policy: { lowPriority: true } });
  const normal = await submitted(single, { input: {} });
  const [second, first] = await Promise.all(
    [low, normal].map((id) => platform.request('GET', `${single}/status-sync/${id}`)),
  );
  assert.ok(Number(second!.body['delayTime']) >= Number(first!.body['delayTime']));
});

test('a full queue returns 429 with Retry-After, and a stopping platform returns 503', async () => {
  const other = new TestHome();
  try {
    const first = await other.start();
    await first.deploy({ endpoints: [endpointSpec('full', { workersMax: 0 }), endpointSpec('busy')] });
    const full = await first.endpoint('full');
    await first.stop();
    const store = new DatabaseSync(path.join(other.folder, 'platform/store.sqlite'));
    store.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${JOB_LIMITS.queueLength})
      INSERT INTO jobs (id, endpoint, state, rank, low_priority, bytes, ttl, retention, created, queued)
      SELECT 'job-' || i, '${full.id}', 'IN_QUEUE', 1, 0, 2, 86400000, 60000, ${Date.now()}, ${Date.now()} FROM n`);
    store.close();
    const second = await other.start();
    const refused = await second.request('POST', `${full.url}/run`, { input: {} });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.equal(refused.body['code'], 'QUEUE_FULL');

    const busy = await second.endpoint('busy');
    const held = second.request('POST', `${busy.url}/runsync`, { input: { sleep: 3 } });
    await until('the job runs', async () => (await second.endpoint('busy')).jobs.inProgress === 1);
    const stopping = second.stop();
    let draining = { status: 0, headers: new Headers() };
    await until('new work is refused', async () => {
      draining = await second.request('POST', `${busy.url}/run`, { input: {} });
      return draining.status === 503;
    });
    assert.equal(draining.headers.get('retry-after'), '2');
    await held.catch(() => undefined);
    await stopping;
  } finally {
    await other.clean();
  }
});

test('waiting inputs are limited in bytes, per endpoint and in total, without affecting other endpoints', async () => {
  const other = new TestHome();
  try {
    const limited = await other.start({ maxWaitingBytes: 10_000_000 });
    const names = ['one', 'two', 'three', 'four', 'five'];
    await limited.deploy({
      endpoints: [...names.map((name) => endpointSpec(name, { workersMax: 0 })), endpointSpec('served')],
    });
    const urls = await Promise.all(names.map(async (name) => (await limited.endpoint(name)).url));
    const run = async (url: string, bytes: number) => {
      const answer = await limited.request('POST', `${url}/run`, { input: { text: 'x'.repeat(bytes) } });
      return [answer.status, answer.headers.get('retry-after'), answer.body['error']];
    };
    const [first] = urls;
    assert.deepEqual(await run(first!, 2_000_000), [200, null, undefined]);
    // About a quarter.
    assert.deepEqual(await run(first!, 1_000_000), [
      429,
      '1',
      'The queue of this endpoint has no room for this request: 2 MB of inputs are waiting, and the limit is 3 MB.',
    ]);
    for (const url of urls.slice(1, 4)) assert.equal((await run(url, 2_500_000))[0], 200);
    assert.deepEqual(await run(urls[4]!, 2_000_000), [
      429,
      '1',
      'The platform has no room for this request: 10 MB of inputs are waiting, and the limit is 10 MB.',
    ]);
    const { url } = await limited.endpoint('served');
    const served = await limited.request('POST', `${url}/runsync`, { input: {} });
    assert.equal(served.body['status'], 'COMPLETED');
    await limited.request('POST', `${first!}/purge-queue`);
    assert.equal((await run(first!, 2_000_000))[0], 200);
  } finally {
    await other.clean();
  }
});

test('large requests that are read at once are limited in bytes, and a refused one is not read', async () => {
  const { hostname, port, pathname } = new URL(`${single}/runsync`);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${platform.key}`,
    'Content-Length: 20000000',
  ];
  const sockets: Socket[] = [];
  try {
    const answers: string[] = [];
    for (let count = 0; count < 13; count += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
      await once(socket, 'connect');
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      await sleep(20);
    }
    await until('the last one is refused', () => answers.length > 0);
    assert.equal(answers.length, 1);
    assert.match(answers[0]!, /^HTTP\/1\.1 429 /);
    assert.equal((await platform.request('POST', `${single}/runsync`, { input: {} })).status, 200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

test('a result expires after its retention, and its Idempotency-Key then reports that', async () => {
  const other = new TestHome();
  try {
    const first = await other.start();
    await first.deploy({ endpoints: [endpointSpec('one')] });
    const { url: at } = await first.endpoint('one');
    const headers = { 'idempotency-key': 'once' };
    const kept = await first.request('POST', `${at}/runsync`, { input: { a: 1 } }, headers);
    const plain = await first.request('POST', `${at}/runsync`, { input: {} });
    await first.stop();
    const store = new DatabaseSync(path.join(other.folder, 'platform/store.sqlite'));
    store.exec(`UPDATE jobs SET finished = finished - ${JOB_LIMITS.resultRetentionRunsync} - 1000`);
    store.close();
    const second = await other.start();
    const gone = async () =>
      (await second.request('GET', `${at}/status/${String(plain.body['id'])}`)).status === 404;
    await until('the result is gone', gone);
    const again = await second.request('POST', `${at}/runsync`, { input: { a: 1 } }, headers);
    assert.equal(again.body['id'], kept.body['id']);
    assert.deepEqual([again.body['status'], again.body['error']], ['COMPLETED', 'result expired']);
    assert.equal('output' in again.body, false);
    assert.equal((await second.endpoint('one')).jobs.completed, 2);
  } finally {
    await other.clean();
  }
});
