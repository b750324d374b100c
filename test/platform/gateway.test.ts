import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isAlive, loadBalancedSpec, TestHome, type TestPlatform, until } from './harness.ts';
import { foreignWorkers } from './processes.ts';

const home = new TestHome();
let platform: TestPlatform;
let web: string;

before(async () => {
  platform = await home.start();
  await platform.deploy({
    endpoints: [loadBalancedSpec('web'), loadBalancedSpec('paused', { workersMax: 0 })],
  });
  web = (await platform.endpoint('web')).url;
});
after(() => home.clean());

const authorized = () => ({ authorization: `Bearer ${platform.key}` });

test('passes on path and query, adds the secret, withholds the key, and names worker and request', async () => {
  const answer = await platform.request('GET', `${web}/some/path?a=1&b=%20x`);
  assert.equal(answer.status, 200);
  assert.equal(answer.body['path'], '/some/path?a=1&b=%20x');
  const headers = answer.body['headers']!;
  assert.ok(!('authorization' in headers));
  assert.ok(String(headers['x-toolkit-gateway-secret']).length > 40);
  assert.match(answer.headers.get('x-worker-id') ?? '', /^w[0-9a-f]+$/);
  assert.equal(answer.headers.get('x-request-id'), headers['x-request-id']);
});

test('keeps a given request id', async () => {
  const answer = await platform.request('GET', `${web}/x`, undefined, { 'x-request-id': 'mine-1' });
  assert.equal(answer.headers.get('x-request-id'), 'mine-1');
  assert.equal(answer.body['headers']!['x-request-id'], 'mine-1');
});

test('passes on a response piece by piece', async () => {
  const pieces = await new Promise<string[]>((resolve, reject) => {
    const got: string[] = [];
    const outgoing = request(`${web}/stream`, { headers: authorized() }, (answer) => {
      answer.on('data', (chunk: Buffer) => got.push(chunk.toString()));
      answer.on('end', () => resolve(got));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  assert.deepEqual(pieces, ['piece 0\n', 'piece 1\n', 'piece 2\n']);
});

test('accepts a body of 30 MB', async () => {
  const answer = await platform.request('POST', `${web}/x`, 'x'.repeat(30_000_000));
  assert.equal(answer.body['bytes'], 30_000_000);
});

test('refuses a larger body, with and without a Content-Length', async () => {
  const announced = await platform.request('POST', `${web}/x`, 'x'.repeat(30_000_001));
  assert.equal(announced.status, 413);
  const status = await new Promise<number>((resolve, reject) => {
    const outgoing = request(`${web}/x`, { method: 'POST', headers: authorized() }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    const piece = Buffer.alloc(1_000_000);
    let sent = 0;
    const send = () => {
      sent += 1;
      if (sent > 40) outgoing.end();
      else outgoing.write(piece, send);
    };
    send();
  });
  assert.equal(status, 413);
});

for (const [place, limit] of [
  ["an endpoint's port", () => `${web}/x`],
  ['the main port', () => `${platform.url}/v2/none/run`],
] as const) {
  test(`${place} lets a client that closes its connections send everything before it reads the refusal`, async () => {
    const { hostname, port, pathname } = new URL(limit());
    const size = 31_000_000;
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: Number(port), host: hostname }, () => {
        const headers = [
          `Host: ${hostname}:${port}`,
          `Authorization: Bearer ${platform.key}`,
          'Connection: close',
          `Content-Length: ${size}`,
        ];
        socket.pause();
        socket.write(`POST ${pathname} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        socket.write(Buffer.alloc(size), () => socket.resume());
      });
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    assert.match(text, /^HTTP\/1\.1 4\d\d /);
  });
}

for (const [place, target] of [
  ["an endpoint's port", () => `${web}/x`],
  ['the main port', () => `${platform.url}/v2/none/run`],
] as const) {
  test(`${place} closes the connection after a refusal when the client asks for it`, async () => {
    const { hostname, port, pathname } = new URL(target());
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const headers = [`Host: ${hostname}`, 'Authorization: Bearer wrong', 'Connection: close'];
        socket.write(`POST ${pathname} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`);
      });
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      // The client keeps the connection open, so only the other side ends it.
      socket.on('end', () => resolve(got));
      socket.on('error', reject);
    });
    assert.match(text, /^HTTP\/1\.1 40[14] /);
    assert.match(text, /\r\nconnection: close\r\n/i);
  });
}

/** All that returns for a request on a new connection, which the platform closes. */
function answerTo(target: string, hosts: string[]): Promise<string> {
  const { hostname, port } = new URL(target.startsWith(platform.url) ? platform.url : web);
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const headers = [
        ...hosts.map((host) => `Host: ${host}`),
        `Authorization: Bearer ${platform.key}`,
        'Connection: close',
      ];
      socket.write(`GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    });
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

test('accepts the absolute form of a target, whose host replaces the Host header', async () => {
  const { host } = new URL(web);
  const text = await answerTo(`${web}/a/../b?c=%20d`, ['proxy.example']);
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.match(text, /"path": "\/a\/\.\.\/b\?c=%20d"/);
  assert.match(text, new RegExp(`"host": "${host}"`));
  assert.match(await answerTo(`${web}?c`, [host]), /"path": "\/\?c"/);
  assert.match(await answerTo(`${web}/v2/web/run`, [host]), /^HTTP\/1\.1 400 [^]*not allowed: /);
  assert.match(await answerTo('http://evil.example/x', [host]), /^HTTP\/1\.1 403 /);
});

for (const [place, target] of [
  ["an endpoint's port", () => `${web}/x`],
  ['the main port', () => `${platform.url}/v2/none/run`],
] as const) {
  test(`${place} refuses a request with two Host headers`, async () => {
    const { host } = new URL(target());
    const text = await answerTo(target(), [host, host]);
    assert.match(text, /^HTTP\/1\.1 400 [^]*"code":"BAD_REQUEST"/);
  });
}

/** All that returns over a connection that is upgraded to an echo. */
function echoed(endpoint: string): Promise<string> {
  const { hostname, port } = new URL(endpoint);
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const headers = [
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${platform.key}`,
        'Connection: Upgrade',
        'Upgrade: echo',
      ];
      socket.write(`GET /upgrade HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\nhello\n`);
    });
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

test('passes an upgraded connection through', async () => {
  const text = await echoed(web);
  assert.match(text, /^HTTP\/1\.1 101/);
  assert.match(text, /x-worker-id: w/i);
  assert.match(text, /echo hello/);
});

test('sends an upgrade to another worker when the first accepts no connections', async () => {
  await platform.deploy({
    app: 'deaf',
    endpoints: [loadBalancedSpec('deaf', { workersMin: 2, workersMax: 2 })],
  });
  const { url, id } = (await platform.endpoints('deaf'))[0]!;
  await until('two workers', async () => {
    const { body } = await platform.request('GET', `/v2/${id}/health`);
    return Number(body['workers']!['idle']) === 2;
  });
  const first = (await platform.request('GET', `${url}/deaf`)).headers.get('x-worker-id')!;
  const text = await echoed(url);
  assert.match(text, /^HTTP\/1\.1 101/);
  assert.doesNotMatch(text, new RegExp(`x-worker-id: ${first}`, 'i'));
  assert.match(text, /echo hello/);
});

test('serves a request that offers HTTP/2, like those of Java, over HTTP/1.1', async () => {
  const { hostname, port } = new URL(web);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const headers = [
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${platform.key}`,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAEAAEAAAAIAAAAA',
        'Content-Length: 5',
      ];
      socket.write(`POST /x HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\nhello`);
    });
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString();
      if (got.includes('"bytes"')) socket.end();
    });
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
  assert.match(text, /^HTTP\/1\.1 200/);
  assert.match(text, /"bytes": 5/);
});

const EVIL = 'GET /evil HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
for (const [title, framing, body] of [
  ['announced', [`Content-Length: ${EVIL.length}`, 'Connection: content-length'], EVIL],
  ['chunked', ['Transfer-Encoding: chunked'], `${EVIL.length.toString(16)}\r\n${EVIL}\r\n0\r\n\r\n`],
] as const) {
  test(`never reads the ${title} body of a GET as another request`, async () => {
    const { hostname, port } = new URL(web);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const headers = [`Host: ${hostname}`, `Authorization: Bearer ${platform.key}`, ...framing];
        socket.write(`GET /first HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
      });
      socket.once('data', (chunk) => {
        socket.destroy();
        if (chunk.toString().startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(chunk.toString()));
      });
      socket.once('error', reject);
    });
    for (let index = 0; index < 4; index += 1) {
      assert.equal((await platform.request('GET', `${web}/after`)).body['path'], '/after');
    }
  });
}

test('starts workers for concurrent requests, up to the maximum', async () => {
  const requests = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let index = 0; index < 15; index += 1)
        await (await fetch(`${web}/stream`, { headers: authorized() })).text();
    }),
  );
  await until(
    'a second worker',
    async () =>
      (await platform.endpoint('web')).workers.idle + (await platform.endpoint('web')).workers.running === 2,
  );
  await requests;
});

test('returns 503 at once when the endpoint is paused', async () => {
  const answer = await platform.request('GET', `${(await platform.endpoint('paused')).url}/x`);
  assert.equal(answer.status, 503);
  assert.equal(answer.body['error'], 'no workers available');
});

test('returns 502 when a worker dies before it responds, and serves again with the next one', async () => {
  const answer = await platform.request('POST', `${web}/die`, {});
  assert.equal(answer.status, 502);
  assert.equal(answer.body['code'], 'CALL_FAILED');
  const again = await platform.request('GET', `${web}/x`);
  assert.equal(again.status, 200);
});

/** The process that serves a worker's requests. */
function processOf(worker: string): number {
  const found = foreignWorkers(platform.url).find(
    ({ environment }) => environment['RUNPOD_POD_ID'] === worker,
  );
  assert.ok(found, `There is no process of ${worker}.`);
  return found.pid;
}

test('replaces a worker that stops responding; another one serves meanwhile', async () => {
  await platform.deploy({
    app: 'frozen',
    endpoints: [loadBalancedSpec('frozen', { workersMin: 1, workersMax: 2 })],
  });
  const { url, id } = (await platform.endpoints('frozen'))[0]!;
  const first = (await platform.request('GET', `${url}/x`)).headers.get('x-worker-id')!;
  const pid = processOf(first);
  process.kill(pid, 'SIGSTOP');
  await until('its silence is noticed', async () => {
    const { body } = await platform.request('GET', `/v2/${id}/health`);
    return Number(body['workers']!['unhealthy']) === 1;
  });
  const answer = await platform.request('GET', `${url}/x`);
  assert.equal(answer.status, 200);
  assert.notEqual(answer.headers.get('x-worker-id'), first);
  await until('it is gone', () => !isAlive(pid));
});

test('a request that kills its worker is sent once, and the other workers survive', async () => {
  const deaths = path.join(home.shared, 'deaths');
  const env = { DEATHS: deaths };
  await platform.deploy({
    app: 'mortal',
    endpoints: [loadBalancedSpec('mortal', { workersMin: 3, workersMax: 3, env })],
  });
  const { url, id } = (await platform.endpoints('mortal'))[0]!;
  const idle = async () =>
    Number((await platform.request('GET', `/v2/${id}/health`)).body['workers']!['idle']);
  await until('three workers', async () => (await idle()) === 3);
  // From now on, the gateway keeps a connection to each.
  await Promise.all(Array.from({ length: 12 }, () => platform.request('GET', `${url}/slow=0.1`)));
  const answer = await platform.request('POST', `${url}/die`, undefined, { 'x-request-id': 'once' });
  assert.deepEqual([answer.status, answer.body['code']], [502, 'CALL_FAILED']);
  assert.equal(readFileSync(deaths, 'utf8'), 'once\n');
  assert.equal(await idle(), 2);
});

test('sends a GET again on a new connection when the worker has closed the kept one', async () => {
  const served = await platform.request('GET', `${web}/served`);
  assert.equal(served.status, 200);
  const answer = await platform.request('GET', `${web}/reset`);
  assert.deepEqual([answer.status, answer.body['path']], [200, '/reset']);
});

test('a worker never has more requests than max_concurrency; the others wait', async () => {
  await platform.deploy({
    app: 'capped',
    endpoints: [loadBalancedSpec('capped', { workersMax: 2, maxConcurrency: 2 })],
  });
  const { url } = (await platform.endpoints('capped'))[0]!;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => platform.request('GET', `${url}/slow=0.1`)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  assert.equal(Math.max(...answers.map(({ body }) => Number(body['most']))), 2);
});

test('without max_concurrency, a worker gets every request', async () => {
  await platform.deploy({
    app: 'open',
    endpoints: [loadBalancedSpec('open', { workersMax: 1, maxConcurrency: null })],
  });
  const { url } = (await platform.endpoints('open'))[0]!;
  await platform.request('GET', `${url}/slow=0`);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => platform.request('GET', `${url}/slow=0.5`)),
  );
  assert.equal(Math.max(...answers.map(({ body }) => Number(body['most']))), 5);
});

test('returns 504 when a function takes longer than execution_timeout, and replaces its blocked worker', async () => {
  await platform.deploy({
    app: 'limited',
    endpoints: [loadBalancedSpec('limited', { workersMax: 2, executionTimeout: 3, maxConcurrency: null })],
  });
  const { url } = (await platform.endpoints('limited'))[0]!;
  const first = (await platform.request('GET', `${url}/slow=0`)).body['worker'];
  const other = platform.request('GET', `${url}/slow=1`);
  const slow = await platform.request('GET', `${url}/slow=8`);
  assert.deepEqual([slow.status, slow.body['code']], [504, 'FUNCTION_TIMEOUT']);
  assert.equal((await other).status, 200);
  assert.notEqual((await platform.request('GET', `${url}/slow=0`)).body['worker'], first);
});

test('execution_timeout ends with the first byte of a response', async () => {
  await platform.deploy({
    app: 'streaming',
    endpoints: [loadBalancedSpec('streaming', { executionTimeout: 2 })],
  });
  const { url } = (await platform.endpoints('streaming'))[0]!;
  const answer = await fetch(`${url}/stream=1`, { headers: authorized() });
  assert.equal(await answer.text(), 'piece 0\npiece 1\npiece 2\n');
});
