import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { targetOf } from '../../runtime/platform/http/exchange.ts';
import { endpointSpec, TestHome, type TestPlatform } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let url: URL;

before(async () => {
  platform = await home.start();
  await platform.deploy({ endpoints: [endpointSpec('paused', { workersMax: 0 })] });
  url = new URL((await platform.endpoint('paused')).url);
});
after(() => home.clean());

/** Sends a request line unchanged, and reads until the platform closes the connection. */
async function raw(requestLine: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  const headers = `host: ${url.host}\r\nauthorization: ${platform.key}\r\nconnection: close\r\n\r\n`;
  socket.write(`${requestLine} HTTP/1.1\r\n${headers}`);
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  await once(socket, 'close');
  return text;
}

test('finds a job by a percent-encoded id, and with a slash at the end', async () => {
  const run = await platform.request('POST', `${url.href}/run/`, { input: {} });
  const id = String(run.body['id']);
  const encoded = id.replaceAll('-', '%2D');
  const { body } = await platform.request('GET', `${url.href}/status/${encoded}/`);
  assert.deepEqual(body, { id, status: 'IN_QUEUE' });
});

test('accepts the words of a path in any case', async () => {
  const run = await platform.request('POST', `${url.origin}/V2/${url.pathname.split('/')[2]}/Run`, {
    input: {},
  });
  const { body } = await platform.request('GET', `${url.href}/Status/${String(run.body['id'])}`);
  assert.equal(body['status'], 'IN_QUEUE');
});

test('keeps a path unchanged that is not valid percent encoding', async () => {
  const answer = await platform.request('GET', `${url.href}/status/%zz`);
  assert.deepEqual([answer.status, answer.body['error']], [404, 'There is no job "%zz" on this endpoint.']);
});

test('accepts an absolute-form request target, as sent to proxies', async () => {
  const answer = await raw(`GET ${url.href}/health?x=1`);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
});

test('reads the path and the query of both forms of a request target', () => {
  const read = (url: string) => targetOf({ url } as IncomingMessage);
  for (const origin of ['', 'http://127.0.0.1:8890']) {
    assert.deepEqual(read(`${origin}/v2/a/run?wait=1&x=?`), { path: '/v2/a/run', search: 'wait=1&x=?' });
    assert.deepEqual(read(`${origin}/v2/a/run`), { path: '/v2/a/run', search: '' });
  }
});

test('responds to HEAD of health with only the length of the body', async () => {
  const [head, body] = (await raw(`HEAD ${url.pathname}/health`)).split('\r\n\r\n');
  assert.match(head!, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(head!, /\r\nContent-Length: \d\d+\r\n/i);
  assert.equal(body, '');
});

test('lists the methods of a route before it requires a key', async () => {
  const answer = await platform.request('GET', `${url.href}/run`, undefined, { authorization: '' });
  assert.deepEqual([answer.status, answer.body['error']], [405, 'GET is not allowed here; use POST.']);
});

test('lists the allowed methods in the Allow header of a 405', async () => {
  for (const [method, target, allowed] of [
    ['GET', `${url.href}/run`, 'POST'],
    ['PUT', `${url.href}/status/some-job`, 'GET, POST'],
    ['DELETE', `${url.origin}/`, 'GET, HEAD'],
  ] as const) {
    const { status, headers } = await platform.request(method, target);
    assert.deepEqual([status, headers.get('allow')], [405, allowed], `${method} ${target}`);
  }
});

test('refuses paths below a route, and leaves other paths to the rest of the platform', async () => {
  const deeper = await platform.request('POST', `${url.href}/run/run`, { input: {} });
  assert.match(String(deeper.body['error']), /^not allowed: POST \/run\/run is not a route/);
  const shorter = await platform.request('GET', `${platform.url}/v2/`);
  assert.deepEqual([shorter.status, shorter.body['error']], [404, 'No route matches GET /v2/.']);
});
