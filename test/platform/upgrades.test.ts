/** Requests that offer another protocol, such as WebSocket, to a load-balanced endpoint. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadBalancedSpec, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
let web: string;
/** The same kind of endpoint, whose only worker takes one request at a time. */
let single: string;

before(async () => {
  platform = await home.start();
  const one = { workersMin: 1, workersMax: 1 };
  await platform.deploy({
    endpoints: [
      loadBalancedSpec('web', { ...one, maxConcurrency: null }),
      loadBalancedSpec('single', { ...one, maxConcurrency: 1 }),
      loadBalancedSpec('limited', { workersMax: 2, maxConcurrency: null, executionTimeout: 1 }),
    ],
  });
  web = (await platform.endpoint('web')).url;
  single = (await platform.endpoint('single')).url;
  for (const url of [web, single]) assert.equal((await platform.request('GET', `${url}/x`)).status, 200);
});
after(() => home.clean());

const raw = (answer: string) => `/raw=${Buffer.from(answer, 'latin1').toString('hex')}`;

/** Sends a request with an offer over a new connection. */
function send(url: string, path: string, { offer = 'websocket', method = 'GET', body = '' } = {}): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const headers = [
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${platform.key}`,
    'Connection: Upgrade',
    `Upgrade: ${offer}`,
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
  ];
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return socket.on('error', () => {});
}

/** All that returns until the platform closes the connection. */
async function received(socket: Socket): Promise<string> {
  let got = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    got += chunk;
  });
  await once(socket, 'close');
  return got;
}

/** Waits until the worker of an endpoint has requests in flight, or none. */
const isBusy = (name: string, expected: boolean) =>
  until(`${name} is ${expected ? 'busy' : 'idle'}`, async () => {
    const { workers } = await platform.endpoint(name);
    return workers.running === Number(expected);
  });

test('a client that leaves before the response to its upgrade frees its slot', async () => {
  for (let round = 0; round < 2; round += 1) {
    const socket = send(single, '/slow=600');
    await isBusy('single', true);
    socket.end();
    await once(socket, 'close');
    await isBusy('single', false);
  }
  assert.equal((await platform.request('GET', `${single}/x`)).status, 200);
});

test('a client that leaves while its upgrade waits for a worker is not served', async () => {
  const first = send(single, '/ws');
  await once(first, 'data');
  const second = send(single, '/ws');
  second.end();
  await once(second, 'close');
  first.destroy();
  await isBusy('single', false);
});

test('an upgrade passes on what a client sends before it is accepted', async () => {
  const first = send(single, '/ws');
  await once(first, 'data');
  const line = 'hello '.repeat(50_000);
  const second = send(single, '/upgrade', { offer: 'echo' });
  await new Promise((resolve) => second.write(line.slice(0, 10), resolve));
  second.write(`${line.slice(10)}\n`);
  first.destroy();
  const got = await received(second);
  assert.match(got, /^HTTP\/1\.1 101 /);
  assert.ok(got.endsWith(`\r\n\r\necho ${line}\n`));
});

for (const offer of ['websocket', 'foo', 'HTTP/2.0', 'HTTP/3', 'TLS/1.2, HTTP/1.1'])
  test(`serves a request with a body that offers ${offer} like any other`, async () => {
    const socket = send(web, '/x', { offer, method: 'POST', body: 'hello' });
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 200 [^]*"bytes": 5/);
    socket.destroy();
  });

const OK = 'HTTP/1.1 200 OK\r\n';

test('passes on a response that does not accept the offer', async () => {
  const declined = 'HTTP/1.1 403 No\r\nContent-Length: 4\r\n\r\nnope';
  const got = await received(send(single, raw(declined)));
  assert.match(got, /^HTTP\/1\.1 403 No\r\n[^]*\r\nconnection: close\r\n[^]*\r\nnope$/i);
  const large = await received(send(single, '/large'));
  assert.equal(large.length - large.indexOf('\r\n\r\n') - 4, 20_000_000);
  assert.equal((await platform.request('GET', `${single}/x`)).status, 200);
});

for (const [title, answer] of [
  ['within its length', `${OK}Content-Length: 10\r\n\r\nabc`],
  ['within a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`],
] as const)
  test(`a response to an upgrade that is cut ${title} is cut for the client, too`, async () => {
    const got = await received(send(single, raw(answer)));
    assert.match(got, /^HTTP\/1\.1 200 OK\r\n[^]*abc/);
    assert.match(got, /\r\n(?:content-length: 10|transfer-encoding: chunked)\r\n/i);
    assert.doesNotMatch(got, /\r\n0\r\n\r\n$/);
    assert.equal((await platform.request('GET', `${single}/x`)).status, 200);
  });

for (const [title, answer] of [
  ['closes its connection', ''],
  ['responds with something that is not HTTP', 'garbage\r\n\r\n'],
  ['responds with an invalid status', 'HTTP/1.1 042 X\r\nContent-Length: 0\r\n\r\n'],
] as const)
  test(`returns 502 when a worker ${title} after an upgrade request`, async () => {
    const got = await received(send(single, raw(answer)));
    assert.match(got, /^HTTP\/1\.1 502 [^]*"code":"CALL_FAILED"/);
    assert.equal((await platform.request('GET', `${single}/x`)).status, 200);
  });

test('returns 504 when an upgrade gets no response within execution_timeout, and replaces the worker', async () => {
  const { url } = await platform.endpoint('limited');
  const { headers } = await platform.request('GET', `${url}/x`);
  const got = await received(send(url, '/slow=600'));
  assert.match(got, /^HTTP\/1\.1 504 [^]*"code":"FUNCTION_TIMEOUT"/);
  const again = await platform.request('GET', `${url}/x`);
  assert.equal(again.status, 200);
  assert.notEqual(again.headers.get('x-worker-id'), headers.get('x-worker-id'));
});

test('a WebSocket may stay open for longer than execution_timeout', async () => {
  const { url } = await platform.endpoint('limited');
  const socket = await platform.webSocket(`${url}/ws`);
  await sleep(2_500);
  const echoed = once(socket, 'message') as Promise<[MessageEvent]>;
  socket.send('still here');
  assert.equal((await echoed)[0].data, 'still here');
  socket.close();
  assert.equal((await platform.request('GET', `${url}/x`)).status, 200);
});

test('an upgrade that does not wait for the previous response closes the connection', async () => {
  const { hostname, port } = new URL(web);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${platform.key}\r\n`;
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  socket.write(`GET /slow=600 HTTP/1.1\r\n${headers}\r\nGET /ws HTTP/1.1\r\n${headers}${upgrade}\r\n`);
  assert.equal(await received(socket), '');
  await isBusy('web', false);
});

test('a platform that stops closes WebSockets with 1001 on both sides, and cuts clients that do not react', async () => {
  const other = new TestHome();
  try {
    const stopping = await other.start();
    await stopping.deploy({ endpoints: [loadBalancedSpec('web', { maxConcurrency: null })] });
    const { url, id } = await stopping.endpoint('web');
    const closed = once(await stopping.webSocket(`${url}/ws`), 'close') as Promise<[CloseEvent]>;
    const { hostname, port } = new URL(url);
    const silent = ['/ws', '/slow=600'].map((path) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${stopping.key}\r\n`;
      const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n';
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}${offer}\r\n`);
      return socket.on('error', () => {});
    });
    await once(silent[0]!, 'data');
    silent[0]!.pause();
    await stopping.stop();
    assert.equal((await closed)[0].code, 1001);
    const logs = path.join(other.folder, 'platform/logs', id);
    await until('the worker was told, too', () =>
      readdirSync(logs).some((name) =>
        readFileSync(path.join(logs, name), 'utf8').includes('closed with 1001'),
      ),
    );
    for (const socket of silent) socket.destroy();
  } finally {
    await other.clean();
  }
});
