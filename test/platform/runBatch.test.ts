import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import { type Answer, endpointSpec, type Json, TestHome, until } from './harness.ts';
import { startSilent } from './manualWorker.ts';

const home = new TestHome();
after(() => home.clean());
const { platform, worker, url } = await startSilent(home, [endpointSpec('paused', { workersMax: 0 })]);
const { url: paused } = await platform.endpoint('paused');

function batch(to: string, jobs: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const body = typeof jobs === 'string' ? jobs : JSON.stringify({ jobs });
  return platform.request('POST', `${to}/run-batch`, body, headers);
}

function jobsOf({ body }: Answer): Json[] {
  return Object.values(body['jobs']!);
}

async function waiting(): Promise<number> {
  return (await platform.endpoint('paused')).jobs.inQueue;
}

test('accepts many jobs with one request, and returns them in order', async () => {
  const inputs = ['{"n":1.0}', '{ "id": 12345678901234567890 }', '{"text":"é\\u00e9"}'];
  const answer = await batch(url, `{"jobs": [${inputs.map((input) => `{"input":${input}}`).join(' , ')}]}`);
  assert.equal(answer.status, 200);
  const jobs = jobsOf(answer);
  for (const job of jobs) {
    assert.deepEqual(Object.keys(job), ['id', 'status']);
    assert.match(String(job['id']), /^[0-9a-f-]{36}-u1$/);
    assert.equal(job['status'], 'IN_QUEUE');
  }
  const taken = await fetch(`${url}/job-take-batch/${worker.id}?batch_size=9&job_in_progress=0`, {
    headers: { authorization: worker.token },
  });
  const bodies = jobs.map(({ id }, index) => `{"id":"${String(id)}","input":${inputs[index]},"attempt":1}`);
  assert.equal(await taken.text(), `[${bodies.join(',')}]`);
  for (const { id } of jobs) await worker.done(String(id), { output: 1 });
  const { body } = await platform.request('GET', `${url}/status/${String(jobs[1]!['id'])}`);
  assert.equal(body['status'], 'COMPLETED');
});

test('applies the policy of each job', async () => {
  const [low, high] = jobsOf(
    await batch(url, [
      { input: {}, policy: { lowPriority: true } },
      { input: {}, policy: { executionTimeout: 5000 } },
    ]),
  );
  const { body: first } = await worker.take();
  assert.deepEqual([first['id'], first['policy']], [high!['id'], { executionTimeout: 5000 }]);
  const { body: second } = await worker.take();
  assert.equal(second['id'], low!['id']);
  for (const job of [first, second]) await worker.done(String(job['id']), { output: 1 });
});

const good = { input: {} };
for (const [what, item, message] of [
  ['has no input', { policy: {} }, 'The job has no "input" object.'],
  ['is not an object', 7, 'The job is not a JSON object.'],
  [
    'has a ttl out of range',
    { input: {}, policy: { ttl: 1 } },
    'The field "policy.ttl" must be between 10000 and 604800000 milliseconds.',
  ],
] as const) {
  test(`refuses a batch whose fourth job ${what}, names that job, and stores nothing`, async () => {
    const answer = await batch(paused, [good, good, good, item, { input: 1 }]);
    assert.deepEqual([answer.status, answer.body['error']], [400, `jobs[3]: ${message}`]);
    assert.equal(await waiting(), 0);
  });
}

test('names the job that is not JSON, and the one whose webhook has a private address', async () => {
  const text = await batch(paused, '{"jobs":[{"input":{}},{"input":{"x":NaN}},{"input":{}}]}');
  assert.deepEqual([text.status, text.body['error']], [400, 'jobs[1]: The job is not JSON.']);
  const webhook = await batch(paused, [good, { input: {}, webhook: 'http://10.0.0.1/' }]);
  assert.equal(webhook.status, 403);
  assert.match(String(webhook.body['error']), /^jobs\[1\]: The webhook's host 10\.0\.0\.1 is a private/);
  assert.equal(await waiting(), 0);
});

for (const [what, body] of [
  ['not JSON', '{"jobs":['],
  ['no list of jobs', '{"jobs":{"input":{}}}'],
  ['an empty list', '{"jobs":[]}'],
  ['a list instead of an object', '[{"input":{}}]'],
  ['too many jobs', `{"jobs":[${'{"input":{}},'.repeat(JOB_LIMITS.batch)}{"input":{}}]}`],
] as const) {
  test(`refuses a body that is ${what}`, async () => {
    const answer = await batch(paused, body);
    assert.deepEqual([answer.status, answer.body['code']], [400, 'BAD_REQUEST']);
    assert.equal(await waiting(), 0);
  });
}

test('refuses a body of more than 20 MB, and other methods', async () => {
  const large = await batch(paused, `{"jobs":[{"input":{"a":"${'x'.repeat(JOB_LIMITS.batchBodyBytes)}"}}]}`);
  assert.deepEqual([large.status, large.body['code']], [413, 'PAYLOAD_TOO_LARGE']);
  assert.equal((await platform.request('GET', `${paused}/run-batch`)).status, 405);
});

test('accepts the maximum number of jobs, and long texts', async () => {
  const text = 'x'.repeat(300_000);
  const many = Array.from({ length: JOB_LIMITS.batch }, (_, index) => ({
    input: index % 5_000 === 0 ? { text } : { index },
  }));
  const jobs = jobsOf(await batch(paused, many));
  assert.equal(new Set(jobs.map(({ id }) => id)).size, JOB_LIMITS.batch);
  assert.equal(await waiting(), JOB_LIMITS.batch);
  await platform.request('POST', `${paused}/purge-queue`);
});

test('an Idempotency-Key returns the same jobs in their current state; with another batch it returns 409 and stores nothing', async () => {
  const headers = { 'idempotency-key': 'batch-1' };
  const first = jobsOf(await batch(paused, [good, good, good], headers));
  const cancelled = String(first[1]!['id']);
  await platform.request('POST', `${paused}/cancel/${cancelled}`);
  const again = jobsOf(await batch(paused, [good, good, good], headers));
  assert.deepEqual(again, [first[0], { id: cancelled, status: 'CANCELLED' }, first[2]]);
  assert.equal(await waiting(), 2);
  for (const other of [[good], [good, good, good, good], [good, good, { input: { a: 1 } }]]) {
    const refused = await batch(paused, other, headers);
    assert.deepEqual(
      [refused.status, refused.body['error']],
      [409, 'The Idempotency-Key "batch-1" was already used with a different body.'],
    );
  }
  assert.equal(await waiting(), 2);
  await platform.request('POST', `${paused}/purge-queue`);
});

test('two equal batches that arrive at once are one', async () => {
  const headers = { 'idempotency-key': 'batch-2' };
  const [one, other] = await Promise.all([
    batch(paused, [good, good], headers),
    batch(paused, [good, good], headers),
  ]);
  assert.deepEqual(jobsOf(one), jobsOf(other));
  await platform.request('POST', `${paused}/purge-queue`);
});

test('the key of a batch is not the key of a single job', async () => {
  const headers = { 'idempotency-key': 'shared' };
  const single = await platform.request('POST', `${paused}/run`, good, headers);
  const jobs = jobsOf(await batch(paused, [good], headers));
  assert.notEqual(jobs[0]!['id'], single.body['id']);
  const again = await platform.request('POST', `${paused}/run`, good, headers);
  assert.equal(again.body['id'], single.body['id']);
  await platform.request('POST', `${paused}/purge-queue`);
});

test('requires space for the whole batch, and stores nothing without it', async () => {
  const other = new TestHome();
  try {
    const limited = await other.start({ maxWaitingBytes: 10_000_000 });
    await limited.deploy({ endpoints: [endpointSpec('paused', { workersMax: 0 })] });
    const { url: at } = await limited.endpoint('paused');
    const job = { input: { text: 'x'.repeat(100_000) } };
    const run = (count: number) =>
      limited.request('POST', `${at}/run-batch`, { jobs: Array.from({ length: count }, () => job) });
    assert.equal((await run(20)).status, 200);
    const refused = await run(20);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.deepEqual(
      [refused.body['code'], refused.body['error']],
      [
        'QUEUE_FULL',
        'The queue of this endpoint has no room for this request: 2 MB of inputs are waiting, and the limit is 3 MB.',
      ],
    );
    const twice = await Promise.all([run(4), run(4)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 429]);
    assert.equal((await limited.endpoint('paused')).jobs.inQueue, 24);
  } finally {
    await other.clean();
  }
});

test("requires space for the batch's number of jobs", async () => {
  const many = Array.from({ length: JOB_LIMITS.batch }, () => good);
  const answers: Answer[] = [];
  while (answers.length * JOB_LIMITS.batch < JOB_LIMITS.queueLength - JOB_LIMITS.batch)
    answers.push(await batch(paused, many));
  assert.equal((await batch(paused, [good])).status, 200);
  const refused = await batch(paused, many);
  assert.deepEqual(
    [refused.status, refused.body['error']],
    [
      429,
      'The queue of this endpoint has no room for this request: 90001 jobs are waiting, and the limit is 100000.',
    ],
  );
  assert.equal(await waiting(), 90_001);
});

test('refuses batches while the platform stops', async () => {
  const other = new TestHome();
  try {
    const stopping = await other.start();
    await stopping.deploy({ endpoints: [endpointSpec('busy')] });
    const { url: at } = await stopping.endpoint('busy');
    // The platform waits for the jobs that its worker runs.
    const held = stopping.request('POST', `${at}/runsync`, { input: { sleep: 3 } });
    await until('the job runs', async () => (await stopping.endpoint('busy')).jobs.inProgress === 1);
    const stopped = stopping.stop();
    await until('new work is refused', async () => {
      const answer = await stopping.request('POST', `${at}/run-batch`, { jobs: [good] });
      return answer.status === 503 && answer.headers.get('retry-after') === '2';
    });
    await held.catch(() => undefined);
    await stopped;
  } finally {
    await other.clean();
  }
});
