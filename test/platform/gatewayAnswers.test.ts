/** How the gateway handles valid, invalid and truncated responses of third-party workers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadBalancedSpec, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let web: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: [loadBalancedSpec('web', { workersMin: 1, workersMax: 1, maxConcurrency: null })],
  });
  web = (await platform.endpoint('web')).url;
});
after(() => home.clean());

const authorized = () => ({ authorization: `Bearer ${platform.key}` });
const raw = (answer: string) => `/raw=${Buffer.from(answer, 'latin1').toString('hex')}`;

/** All that returns on a new connection. */
async function received(path: string, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(web);
  const socket = connect(Number(port), hostname);
  const headers = [`Host: ${hostname}`, `Authorization: Bearer ${platform.key}`, 'Connection: close'];
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  let got = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    got += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  return got;
}

/** Paths of requests whose connections the worker has seen closed. */
async function closed(): Promise<string[]> {
  const { body } = await platform.request('GET', `${web}/closed`);
  return Object.values(body['closed']!).map(String);
}

/** The worker responds to each of some requests with the request's own path. */
async function answersInOrder(): Promise<void> {
  for (let index = 0; index < 4; index += 1)
    assert.equal((await platform.request('GET', `${web}/own${index}`)).body['path'], `/own${index}`);
}

const OK = 'HTTP/1.1 200 OK\r\n';

for (const [title, answer] of [
  ['that is not HTTP', 'hello\r\n\r\n'],
  ['with lines that end with only LF', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n'],
  ['with a folded header', `${OK}X-A: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
  ['with a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['with two lengths', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
  ['that switches protocols without a request', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
] as const) {
  test(`returns 502 for a response ${title}, and the worker keeps serving`, async () => {
    const { status, body } = await platform.request('GET', `${web}${raw(answer)}`);
    assert.deepEqual([status, body['code']], [502, 'CALL_FAILED']);
    assert.match(String(body['error']), /^The worker's response cannot be forwarded\. \w/);
    await answersInOrder();
  });
}

test('a response that ends within its head counts as a lost worker', async () => {
  const { status, body } = await platform.request('GET', `${web}${raw(`${OK}Content-Le`)}`);
  assert.deepEqual([status, body['code']], [502, 'CALL_FAILED']);
  assert.match(String(body['error']), /^The worker of "web" ended before it responded\.$/);
});

for (const [title, answer] of [
  ['within its length', `${OK}Content-Length: 9\r\n\r\nhello`],
  ['within a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nhello`],
  ['before its last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
  ['by a chunk without a size', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n`],
] as const) {
  test(`a response that is cut ${title} is cut for the client, too`, async () => {
    const got = await received(raw(answer));
    assert.doesNotMatch(got, /\r\n0\r\n\r\n$/);
    assert.doesNotMatch(got, /HTTP\/1.1 5/);
    await assert.rejects(async () => (await fetch(`${web}${raw(answer)}`, { headers: authorized() })).text());
    await answersInOrder();
  });
}

test('a response without a length is complete when its connection ends', async () => {
  const answer = await fetch(`${web}${raw(`${OK}\r\nhello`)}`, { headers: authorized() });
  assert.equal(await answer.text(), 'hello');
});

test('skips interim responses', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
  const answer = await fetch(`${web}${raw(`${interim}${OK}Content-Length: 5\r\n\r\nhello`)}`, {
    headers: authorized(),
  });
  assert.equal(await answer.text(), 'hello');
});

for (const [title, answer, method] of [
  ['after a response', `${OK}Content-Length: 2\r\n\r\nhi${OK}Content-Length: 4\r\n\r\nevil`, 'GET'],
  ['as the body of a response to HEAD', `${OK}Content-Length: 4\r\n\r\nevil`, 'HEAD'],
  ['as the body of a 204', 'HTTP/1.1 204 No Content\r\n\r\nevil', 'GET'],
] as const) {
  test(`bytes ${title} are never read as the next response`, async () => {
    const got = await received(`${raw(answer)}&keep`, method);
    assert.match(got, /^HTTP\/1.1 20/);
    assert.doesNotMatch(got, /evil/);
    await answersInOrder();
  });
}

test('the head of a response to HEAD keeps its length', async () => {
  const got = await received(`${raw(`${OK}Content-Length: 4\r\n\r\n`)}&keep`, 'HEAD');
  assert.match(got, /\r\ncontent-length: 4\r\n[^]*\r\n\r\n$/i);
});

test('passes on repeated headers unchanged, and drops those of the connection', async () => {
  const headers = [
    'Set-Cookie: a=1',
    'Set-Cookie: b=2',
    'Connection: X-Hop',
    'X-Hop: 1',
    'Keep-Alive: timeout=1',
  ];
  const own = ['X-Worker-Id: other', 'X-Request-Id: other', 'X-Toolkit-Gateway-Secret: s'];
  const got = await received(raw(`${OK}${[...headers, ...own].join('\r\n')}\r\nContent-Length: 0\r\n\r\n`));
  assert.match(got, /\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/i);
  assert.doesNotMatch(got, /x-hop|timeout=1|other|secret/i);
});

test('a request with a body is never sent on a connection that its worker has closed', async () => {
  for (let round = 1; round <= 5; round += 1) {
    assert.equal((await platform.request('GET', `${web}/bye`)).status, 200);
    await until(
      'it is closed',
      async () => (await closed()).filter((path) => path === '/bye').length === round,
    );
    assert.equal((await platform.request('POST', `${web}/x`, 'body')).body['bytes'], 4);
  }
});

test('the client of a stream gets the head before the first piece', async () => {
  const answer = await fetch(`${web}/held`, { headers: authorized() });
  assert.equal((await platform.request('GET', `${web}/release`)).status, 200);
  assert.equal(await answer.text(), 'released');
});

test('a chunked body reaches the worker completely', async () => {
  const outgoing = request(`${web}/x`, { method: 'POST', headers: authorized() });
  for (let piece = 0; piece < 100; piece += 1) outgoing.write(Buffer.alloc(piece * 100));
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal((JSON.parse(await text(answer)) as { bytes: number }).bytes, 495_000);
});

test('a client that reads slowly gets all of a large response', async () => {
  const outgoing = request(`${web}/large`, { headers: authorized() }).end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const hash = createHash('sha256');
  let pieces = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    hash.update(piece);
    pieces += 1;
    if (pieces % 50 === 0) await sleep(20);
  }
  const expected = createHash('sha256').update(Uint32Array.from({ length: 5_000_000 }, (_, at) => at));
  assert.equal(hash.digest('hex'), expected.digest('hex'));
});

test('a client that disconnects ends the request at the worker', async () => {
  const outgoing = request(`${web}/endless`, { headers: authorized() }).end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(answer, 'data');
  answer.destroy();
  await until('the worker sees it', async () => (await closed()).includes('/endless'));
});
