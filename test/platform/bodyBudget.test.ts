/** Large bodies that arrive at the same time, and those that never arrive. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import { endpointSpec, TestHome, type TestPlatform, until } from './harness.ts';

const home = new TestHome();
let platform: TestPlatform;
const slow: Socket[] = [];

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: ['full', 'other'].map((name) => endpointSpec(name, { workersMax: 0 })),
  });
});
after(() => home.clean());

/** Sends the head of a request, and the first byte of its body. */
function begin(url: string, size: number): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${platform.key}\r\n` +
      `Connection: close\r\nContent-Length: ${size}\r\n\r\n{`,
  );
  return socket;
}

const run = (url: string) => platform.request('POST', `${url}/run`, { input: {} });

test('clients that fill one endpoint with large bodies keep nobody from another one', async () => {
  const [full, other] = [await platform.endpoint('full'), await platform.endpoint('other')];
  const largest = JOB_LIMITS.runsyncBodyBytes;
  for (let left = JOB_LIMITS.bodiesHeld; left >= largest; left -= largest)
    slow.push(begin(`${full.url}/runsync`, largest));
  let refused = await run(full.url);
  await until('the endpoint is full', async () => {
    begin(`${full.url}/runsync`, 1_000_000);
    refused = await run(full.url);
    return refused.status === 429;
  });
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.match(String(refused.body['error']), /already reading too many large requests/);
  assert.equal((await run(other.url)).status, 200);
  begin(`${other.url}/runsync`, largest - 1_000);
  assert.equal((await run(other.url)).status, 200);
});

test('a body whose rest does not arrive is refused, and then the endpoint accepts others', async () => {
  const answers = await Promise.all(slow.map((socket) => text(socket.once('data', () => socket.end()))));
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"The rest of the body is missing: nothing arrived for 20 s\."/);
  }
  const { url } = await platform.endpoint('full');
  assert.equal((await run(url)).status, 200);
});
