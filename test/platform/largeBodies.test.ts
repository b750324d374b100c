import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { JOB_SHAPE, readJobRequest } from '../../runtime/platform/jobs/jobRequest.ts';
import { RESULT_SHAPE, readResult } from '../../runtime/platform/jobs/postedResult.ts';
import { LONG_TEXT } from '../../runtime/platform/json/jsonText.ts';
import { type JsonBody, readJson } from '../../runtime/platform/json/readJson.ts';
import { JsonScanner, type Shape } from '../../runtime/platform/json/scanner.ts';
import { endpointSpec, TestHome } from './harness.ts';
import { startSilent } from './manualWorker.ts';

const home = new TestHome();
after(() => home.clean());
const { platform, worker, url } = await startSilent(home, [endpointSpec('paused', { workersMax: 0 })]);
const { url: paused } = await platform.endpoint('paused');

const LONG = 'x'.repeat(LONG_TEXT + 1);

async function send(
  to: string,
  body: string | Buffer,
  key?: string,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${platform.key}`, ...(key && { 'idempotency-key': key }) };
  const answer = await fetch(to, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) });
  return { status: answer.status, text: await answer.text() };
}

/** The input of a job as its worker received it. */
async function taken(): Promise<{ id: string; input: string; text: string }> {
  const answer = await fetch(`${url}/job-take/${worker.id}?job_in_progress=0`, {
    headers: { authorization: worker.token },
  });
  const text = await answer.text();
  const [, id, input] = /^\{"id":"([^"]+)","input":(.*),"attempt":\d+\}$/s.exec(text)!;
  return { id: id!, input: input!, text };
}

for (const [what, body] of [
  ['invalid JSON', '{"padding":"PAD","input":{"a":tru}}'],
  ['unfinished JSON', '{"padding":"PAD","input":{'],
  ['more than one value', '{"input":{}} {"padding":"PAD"}'],
  ['no input', '{"padding":"PAD"}'],
  ['input null', '{"padding":"PAD","input":null}'],
  ['a list', '["PAD"]'],
  ['a text', '"PAD"'],
  ['an input that is followed by another one', '{"input":{},"padding":"PAD","input":[]}'],
  ['a policy out of range', '{"policy":{"ttl":1},"input":{"padding":"PAD"}}'],
  ['a webhook that is not a URL', '{"webhook":"PAD","input":{}}'],
  ['a control character', '{"input":{"a":"PAD\n"}}'],
  ['half a character', '{"input":{"a":"PAD\\ud8"}}'],
  ['a byte order mark', '\ufeff{"input":{"padding":"PAD"}}'],
] as const) {
  test(`refuses a long body with ${what} like a short one`, async () => {
    const short = await send(`${url}/run`, body.replace('PAD', 'x'));
    const long = await send(`${url}/run`, body.replace('PAD', LONG));
    assert.equal(short.status, 400);
    assert.deepEqual(long, short);
  });
}

test('refuses a long body that is not UTF-8 like a short one', async () => {
  const body = (padding: string) =>
    Buffer.concat([Buffer.from(`{"input":{"a":"${padding}`), Buffer.from([0xff]), Buffer.from('"}}')]);
  const [short, long] = [await send(`${url}/run`, body('')), await send(`${url}/run`, body(LONG))];
  assert.match(short.text, /The body is not UTF-8/);
  assert.deepEqual(long, short);
});

test('reads only the settings of a policy, however long the rest is', async () => {
  const answer = await send(`${paused}/run`, `{"input":{},"policy":{"x":"${LONG}","ttl":60000}}`);
  assert.equal(answer.status, 200);
  const refused = await send(`${paused}/run`, `{"input":{},"policy":{"x":"${LONG}","ttl":1}}`);
  assert.match(refused.text, /The field \\"policy.ttl\\" must be between/);
  const long = await send(`${paused}/run`, `{"input":{},"policy":{"ttl":"${LONG}"}}`);
  assert.match(long.text, /The field \\"policy.ttl\\" must be between/);
});

for (const [what, input] of [
  ['numbers in their original form', `{"a":[${'1.0,12345678901234567890,1E5,'.repeat(20_000)}-0]}`],
  ['characters of all lengths', `{"a":"${'aä€😀\\u00e9\\/'.repeat(30_000)}"}`],
  ['objects in objects', `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`],
  ['spaces between the values', `{ "a" :\n\t[ ${'1 , '.repeat(80_000)} 2 ] }`],
] as const) {
  test(`passes a long input to its worker and a long output to its client, with ${what}`, async () => {
    assert.ok(Buffer.byteLength(input) > LONG_TEXT);
    const answer = send(`${url}/runsync`, `{"policy":{"ttl":60000},"input": ${input} ,"more":"${LONG}"}`);
    const job = await taken();
    assert.ok(job.input === input);
    const done = await worker.call('POST', `job-done/$ID/${job.id}`, { text: ` {"output":${input}\n}` });
    assert.equal(done.status, 200);
    const { text } = await answer;
    assert.ok(text.includes(`,"output":${input}}`));
    const status = await send(`${url}/status/${job.id}`, '');
    assert.ok(status.text === text);
  });
}

test('streams long chunks, and joins them in order', async () => {
  await send(`${url}/run`, '{"input":{}}');
  const { id } = await taken();
  const chunks = [`"${LONG}ä"`, '1.0', `"${LONG}€"`];
  for (const chunk of chunks)
    await worker.call('POST', `job-stream/$ID/${id}`, { text: `{"output":${chunk}}` });
  await worker.call('POST', `job-done/$ID/${id}?isStream=true`, { text: '{}' });
  const stream = await send(`${url}/stream/${id}`, '');
  const pieces = chunks.map((chunk) => `{"output":${chunk}}`).join(',');
  assert.ok(stream.text === `{"status":"COMPLETED","stream":[${pieces}]}`);
  const { text } = await send(`${url}/status/${id}`, '');
  assert.ok(text.endsWith(`,"output":[${chunks.join(',')}]}`));
});

test('a result that is not JSON fails its job, however long it is', async () => {
  await send(`${url}/run`, '{"input":{}}');
  const { id } = await taken();
  const done = await worker.call('POST', `job-done/$ID/${id}`, { text: `{"output":["${LONG}",NaN]}` });
  assert.deepEqual([done.status, done.body['error']], [400, 'The result is not JSON.']);
  assert.match((await send(`${url}/status/${id}`, '')).text, /"error":"The result is not JSON\."/);
});

test('an Idempotency-Key recognizes a long body, and distinguishes it from another one', async () => {
  const body = (last: string) => `{"input":{"a":"${LONG}${last}"}}`;
  const first = await send(`${paused}/run`, body('1'), 'long');
  assert.equal((await send(`${paused}/run`, body('1'), 'long')).text, first.text);
  assert.equal((await send(`${paused}/run`, body('2'), 'long')).status, 409);
});

test('long and short inputs that are taken together keep their order and their text', async () => {
  const inputs = ['{"a":1}', `{"a":"${LONG}"}`, '{"a":"ä"}', `{"b":"${LONG}ä"}`];
  for (const input of inputs) await send(`${url}/run`, `{"input":${input}}`);
  const answer = await fetch(`${url}/job-take-batch/${worker.id}?batch_size=9&job_in_progress=0`, {
    headers: { authorization: worker.token },
  });
  const jobs = JSON.parse(await answer.text()) as { id: string; input: object }[];
  assert.deepEqual(
    jobs.map((job) => job.input),
    inputs.map((input) => JSON.parse(input)),
  );
  for (const { id } of jobs) await worker.done(id, { output: 1 });
});

/** The bytes that one turn of the event loop can check, decode or parse in a few milliseconds. */
const MOST_OF_A_TURN = 1_500_000;

/**
 * Reads a request body of many megabytes. Resolves with the most bytes that one turn of the event loop
 * handled.
 */
async function mostOfATurn(
  t: TestContext,
  body: string,
  shape: Shape,
  use: (body: JsonBody) => void,
): Promise<number> {
  let [most, ofTurn] = [0, 0];
  const look = (size: number) => {
    if (ofTurn === 0) setImmediate(() => (ofTurn = 0));
    ofTurn += size;
    most = Math.max(most, ofTurn);
  };
  const { push } = JsonScanner.prototype;
  t.mock.method(JsonScanner.prototype, 'push', function (this: JsonScanner, bytes: Buffer) {
    look(bytes.length);
    push.call(this, bytes);
  });
  const { parse } = JSON;
  t.mock.method(JSON, 'parse', (text: string) => {
    look(text.length);
    return parse(text) as unknown;
  });
  const { toString } = Buffer.prototype;
  t.mock.method(Buffer.prototype, 'toString', function (this: Buffer, ...args: Parameters<typeof toString>) {
    const text = toString.apply(this, args);
    look(text.length);
    return text;
  });
  const server = createServer((incoming, response) => {
    void readJson(incoming, 22_000_000, shape).then((read) => {
      use(read);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await (await fetch(address, { method: 'POST', body })).text();
  assert.ok(most > 0);
  return most;
}

const MEGABYTES = 'x'.repeat(19_000_000);

for (const [what, body] of [
  ['a text', `{"input":{"a":"${MEGABYTES}"}}`],
  ['many values', `{"input":{"a":[${'1,'.repeat(9_000_000)}1]}}`],
  ['a policy', `{"input":{},"policy":{"ttl":"${MEGABYTES}"}}`],
] as const) {
  test(`no turn of the event loop handles all of a request with ${what} of 19 MB`, async (t) => {
    const most = await mostOfATurn(t, body, JOB_SHAPE, (read) => {
      try {
        readJobRequest(read, () => true);
      } catch {
        // Refused, like any other.
      }
    });
    assert.ok(most < MOST_OF_A_TURN, `${most} bytes`);
  });
}

for (const member of ['output', 'error', 'status', 'counted', 'stopPod']) {
  test(`no turn of the event loop handles all of a result whose ${member} has 19 MB`, async (t) => {
    const body = `{"${member}":"${MEGABYTES}"}`;
    const most = await mostOfATurn(t, body, RESULT_SHAPE, (read) => readResult(read, read.root));
    assert.ok(most < MOST_OF_A_TURN, `${most} bytes`);
  });
}
