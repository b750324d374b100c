import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WORKER_LIMITS } from '../../runtime/contract/limits.ts';
import { isAlive, type Json, TestHome, until } from './harness.ts';
import { type Reply, startSilent } from './manualWorker.ts';

const home = new TestHome();
after(() => home.clean());
const { platform, worker, url } = await startSilent(home);

interface Taken {
  id: string;
  attempt: number;
}

/** Queues a job and takes it. */
async function take(): Promise<Taken> {
  const { body } = await platform.request('POST', `${url}/run`, { input: {} });
  const taken = await worker.take();
  assert.equal(taken.body['id'], body['id']);
  return { id: String(taken.body['id']), attempt: Number(taken.body['attempt']) };
}

function done(results: unknown): Promise<Reply> {
  const text = typeof results === 'string' ? results : JSON.stringify({ results });
  return worker.call('POST', 'job-done-batch/$ID', { text });
}

function statuses({ body }: Reply): unknown[] {
  return Object.values(body['results']!).map((result) => result['status']);
}

async function status(job: string): Promise<Json> {
  return (await platform.request('GET', `${url}/status/${job}`)).body;
}

/** The fields of a job's end that depend on its result. */
async function ends(jobs: Taken[]): Promise<unknown[]> {
  const bodies = await Promise.all(jobs.map(({ id }) => status(id)));
  return bodies.map((body) => [body['status'], body['error'] ?? body['output']]);
}

test('ends many jobs with one request, and responds to their waiting clients', async () => {
  const waiting = platform.request('POST', `${url}/runsync`, { input: {} });
  const { body: first } = await worker.take();
  const [second, third] = [await take(), await take()];
  const answer = await done([
    { id: first['id'], attempt: 1, output: { a: 1 } },
    { id: second.id, attempt: second.attempt, error: 'no such thing' },
    { id: third.id, output: null },
  ]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    results: [first['id'], second.id, third.id].map((id) => ({ id, status: 200 })),
  });
  assert.deepEqual((await waiting).body['output'], { a: 1 });
  assert.deepEqual(await ends([second, third]), [
    ['FAILED', 'no such thing'],
    ['COMPLETED', null],
  ]);
});

test('passes on outputs unchanged, both short and long', async () => {
  const jobs = [await take(), await take(), await take()];
  const outputs = ['1.0', `{"big": 12345678901234567890, "x": "${'ä'.repeat(200_000)}"}`, '"é\\u00e9"'];
  const results = jobs.map(({ id }, index) => `{"id":"${id}","attempt":1,"output": ${outputs[index]} }`);
  await done(`{"results":[${results.join(',\n')}]}`);
  for (const [index, { id }] of jobs.entries()) {
    const answer = await fetch(`${url}/status/${id}`, { headers: { authorization: platform.key } });
    assert.ok((await answer.text()).endsWith(`,"output":${outputs[index]}}`));
  }
});

test('checks each result separately: by holder and attempt', async () => {
  const [lost, good] = [await take(), await take()];
  await worker.done(lost.id, { status: 'IN_QUEUE', counted: true });
  const [again] = Object.values((await worker.call('GET', 'job-take-batch/$ID?batch_size=1')).body);
  assert.deepEqual([again!['id'], again!['attempt']], [lost.id, 2]);
  const answer = await done([
    { id: lost.id, attempt: 1, output: 'old' },
    { id: 'nothing-u1', attempt: 1, output: 1 },
    { id: good.id, attempt: 1, output: 'good' },
  ]);
  assert.deepEqual(statuses(answer), [409, 404, 200]);
  assert.equal(Object.values(answer.body['results']!)[0]!['error'], 'This worker no longer holds the job.');
  assert.equal((await status(lost.id))['status'], 'IN_PROGRESS');
  const second = await done([
    { id: lost.id, attempt: 2, output: 'new' },
    { id: good.id, attempt: 1, output: 'good' },
  ]);
  // The second result of a job is accepted, since the response to its first can be lost.
  assert.deepEqual(statuses(second), [200, 200]);
  assert.deepEqual(await ends([lost, good]), [
    ['COMPLETED', 'new'],
    ['COMPLETED', 'good'],
  ]);
});

test('a result that cannot be read fails its own job, and no other', async () => {
  const [nan, large, late, good] = [await take(), await take(), await take(), await take()];
  const answer = await done(
    `{"results":[
      {"id":"${nan.id}","attempt":1,"output":[NaN,{"x":"]}"}]},
      {"id":"${large.id}","attempt":1,"output":"${'x'.repeat(WORKER_LIMITS.resultBytes)}"},
      {"output":NaN,"id":"${late.id}","attempt":1},
      {"attempt":1,"output":1}, 7, {"id":"${late.id}","attempt":"1","output":1},
      {"id":"${late.id}","attempt":1,"status":"IN_PROGRESS","output":1},
      {"id":"${good.id}","attempt":1,"output":"good"}
    ]}`,
  );
  assert.deepEqual(answer.body['results'], [
    { id: nan.id, status: 400, error: 'The result is not JSON.' },
    { id: large.id, status: 413, error: 'The result is larger than 20 MB.' },
    // Nothing after the fault is known.
    { id: null, status: 400, error: 'The result has no "id".' },
    { id: null, status: 400, error: 'The result has no "id".' },
    { id: null, status: 400, error: 'The result has no "id".' },
    { id: late.id, status: 400, error: 'The field "attempt" must be a number.' },
    {
      id: late.id,
      status: 400,
      error: 'A batch can contain only final results. Post progress and released jobs to job-done.',
    },
    { id: good.id, status: 200 },
  ]);
  assert.deepEqual(await ends([nan, large, good]), [
    ['FAILED', 'The result is not JSON.'],
    ['FAILED', 'The result is larger than 20 MB.'],
    ['COMPLETED', 'good'],
  ]);
  assert.equal((await status(late.id))['status'], 'IN_PROGRESS');
  await done([{ id: late.id, output: 1 }]);
});

test('takes the output of a generator from its chunks', async () => {
  const [whole, broken] = [await take(), await take()];
  for (const { id } of [whole, broken])
    await worker.call('POST', `job-stream/$ID/${id}`, { body: { output: id } });
  await done([
    { id: whole.id, attempt: 1, isStream: true },
    { id: broken.id, attempt: 1, isStream: true, error: 'broke off' },
  ]);
  assert.deepEqual(await ends([whole, broken]), [
    ['COMPLETED', [whole.id]],
    ['FAILED', 'broke off'],
  ]);
});

for (const [what, body, code] of [
  ['is not JSON', '{"results":[{"id":"x","output":[}]}', 400],
  ['has no list of results', '{"results":{}}', 400],
  ['has no results', '{"results":[]}', 400],
  ['has too many results', `{"results":[${'{},'.repeat(WORKER_LIMITS.batch)}{}]}`, 400],
  ['is too large', `{"results":[{"x":"${'x'.repeat(WORKER_LIMITS.resultBodyBytes)}"}]}`, 413],
] as const) {
  test(`refuses a body that ${what}`, async () => {
    const answer = await done(body);
    assert.equal(answer.status, code);
    assert.equal(typeof answer.body['error'], 'string');
  });
}

test('accepts at most the maximum batch size of jobs', async () => {
  const jobs = Array.from({ length: 3 }, () => ({ input: {} }));
  await platform.request('POST', `${url}/run-batch`, { jobs });
  const taken = [];
  for (const size of ['2.5', '-1']) {
    const { body } = await worker.call('GET', `job-take-batch/$ID?batch_size=${size}`);
    taken.push(Object.values(body).map(({ id }) => ({ id, output: 1 })));
  }
  assert.deepEqual(
    taken.map(({ length }) => length),
    [2, 1],
  );
  await done(taken.flat());
});

test('accepts only the token of its own worker', async () => {
  const other = await worker.call('POST', 'job-done-batch/somebody', { body: { results: [{}] } });
  assert.equal(other.status, 401);
});

test('stopPod of one result replaces the worker', async () => {
  const jobs = [await take(), await take()];
  await done(jobs.map(({ id }, index) => ({ id, attempt: 1, output: 1, stopPod: index === 0 })));
  await until('the worker ended', () => !isAlive(worker.pid));
});
