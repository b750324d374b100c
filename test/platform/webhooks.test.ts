import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postWebhook } from '../../runtime/platform/jobs/postWebhook.ts';
import { anyAddress, publicOnly, readWebhook } from '../../runtime/platform/jobs/webhookTarget.ts';
import { endpointSpec, type Json, TestHome, type TestPlatform, until } from './harness.ts';

/** A listener for webhooks, on all addresses of this machine. */
class Receiver {
  readonly received: { path: string; body: Json }[] = [];
  readonly #server: Server;
  /** Status codes of the next responses; 200 afterwards. */
  statuses: number[] = [];
  location: string | null = null;
  /** Called before the next response. */
  before: ((body: Json) => Promise<void>) | null = null;

  constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', async () => {
        const body = JSON.parse(text) as Json;
        this.received.push({ path: request.url ?? '', body });
        await this.before?.(body);
        const headers = this.location === null ? {} : { location: this.location };
        response.writeHead(this.statuses.shift() ?? 200, headers).end();
      });
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '::', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const home = new TestHome();
const receiver = new Receiver();
let platform: TestPlatform;
let port: number;
let url: string;

before(async () => {
  port = await receiver.listen();
  platform = await home.start({ allowPrivateWebhooks: true });
  await platform.deploy({ endpoints: [endpointSpec('one')] });
  url = (await platform.endpoint('one')).url;
});
after(async () => {
  receiver.close();
  await home.clean();
});

async function run(body: object): Promise<string> {
  const answer = await platform.request('POST', `${url}/run`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return String(answer.body['id']);
}

const of = (id: string) => receiver.received.filter(({ body }) => String(body['id']) === id);

test('a webhook reads no body, and closes the connection regardless of how long the response is', async (t) => {
  const closed = Promise.withResolvers<string>();
  const endless = createServer((_request, response) => {
    response.writeHead(200).write('begun');
    response.once('close', () => closed.resolve('closed'));
  });
  t.after(() => {
    endless.close();
    endless.closeAllConnections();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  assert.equal(await postWebhook(target, '{}', anyAddress, signal), 200);
  // A webhook that takes 30 s would close it, too.
  const waited = sleep(15_000, 'open', { ref: false });
  assert.equal(await Promise.race([closed.promise, waited]), 'closed');
});

test('a webhook gets the final body with input and webhook, on success and on failure', async () => {
  const webhook = `http://127.0.0.1:${port}/done?token=a-secret`;
  const inputs = [{ a: 1 }, { fail: 'no such thing' }];
  const ids = await Promise.all(inputs.map((input) => run({ input, webhook })));
  await until('both webhooks were called', () => ids.every((id) => of(id).length === 1));
  for (const [index, id] of ids.entries()) {
    const [delivery] = of(id);
    assert.equal(delivery!.path, '/done?token=a-secret');
    const status = await platform.request('GET', `${url}/status/${id}`);
    assert.deepEqual(delivery!.body, { ...status.body, input: inputs[index], webhook });
  }
  assert.deepEqual(
    ids.map((id) => String(of(id)[0]!.body['status'])),
    ['COMPLETED', 'FAILED'],
  );
});

test('a webhook without a success response is called twice more, also after kill -9', async () => {
  receiver.statuses = [500];
  const id = await run({ input: {}, webhook: `http://127.0.0.1:${port}/` });
  const log = () => readFileSync(path.join(home.folder, 'platform/platform.log'), 'utf8');
  await until('the first try is noted', () => /"tries":1,"result":"returned 500"/.test(log()));
  assert.equal(of(id).length, 1);
  await platform.kill();
  receiver.statuses = [202, 503];
  platform = await home.start({ allowPrivateWebhooks: true });
  await until('the third try', () => of(id).length === 3);
  await until('the third try is noted', () => /"tries":3,"result":"returned 503"/.test(log()));
  assert.ok(!log().includes('a-secret'));
  assert.deepEqual(of(id)[0]!.body, of(id)[2]!.body);
});

test('a webhook whose receiver retries the job is called again at its next end', async () => {
  const webhook = `http://127.0.0.1:${port}/retry`;
  receiver.before = async ({ id }) => {
    receiver.before = null;
    assert.equal((await platform.request('POST', `${url}/retry/${String(id)}`)).status, 200);
    await until('it has ended again', async () => {
      const { body } = await platform.request('GET', `${url}/status/${String(id)}`);
      return body['status'] === ('FAILED' as unknown);
    });
  };
  const id = await run({ input: { fail: 'again and again' }, webhook });
  await until('both ends were sent', () => of(id).length === 2);
});

test('follows a redirect that keeps the method, but not one to a refused address', async () => {
  const signal = new AbortController().signal;
  const other = new Receiver();
  const otherPort = await other.listen();
  try {
    const allows = (address: string) => address === '127.0.0.1';
    receiver.location = `http://127.0.0.1:${otherPort}/moved`;
    receiver.statuses = [307];
    const from = `http://127.0.0.1:${port}/redirect`;
    assert.equal(await postWebhook(from, '{"id":"r"}', allows, signal), 200);
    assert.deepEqual(other.received, [{ path: '/moved', body: { id: 'r' } }]);
    for (const target of ['127.0.0.2', '[::1]', 'localhost', hostname()]) {
      receiver.location = `http://${target}:${otherPort}/`;
      receiver.statuses = [308];
      const redirected = postWebhook(from, '{"id":"r"}', allowsFirst(), signal);
      await assert.rejects(redirected, /private address/, target);
    }
    receiver.location = 'file:///etc/passwd';
    receiver.statuses = [307];
    await assert.rejects(postWebhook(from, '{"id":"r"}', allows, signal), /file: URLs are not allowed/);
    assert.equal(other.received.length, 1);
  } finally {
    receiver.location = null;
    other.close();
  }
});

/** Allows the first address that it is asked about and none after it. */
function allowsFirst(): () => boolean {
  let asked = 0;
  return () => asked++ === 0;
}

test('a name that resolves to a private address is refused when the webhook is called', async () => {
  const signal = new AbortController().signal;
  const before = receiver.received.length;
  for (const name of [hostname(), 'localhost']) {
    await assert.rejects(postWebhook(`http://${name}:${port}/`, '{}', publicOnly, signal), /private address/);
  }
  assert.equal(receiver.received.length, before);
});

for (const address of [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  '[2002:7f00:1::]',
  'localhost',
  'api.localhost.',
]) {
  test(`the private target ${address} is refused before the job is accepted`, () => {
    assert.throws(() => readWebhook(`http://${address}/x`, publicOnly), { code: 'FORBIDDEN' });
  });
}

test('public targets are accepted, and texts that are not URLs are refused', () => {
  for (const target of ['https://example.com/hook', 'http://8.8.8.8/', 'https://[2606:4700::1111]/']) {
    assert.equal(readWebhook(target, publicOnly), target);
  }
  for (const wrong of ['nothing', 'ftp://example.com/', 'http://user:secret@example.com/', 7, {}]) {
    assert.throws(() => readWebhook(wrong, publicOnly), { code: 'BAD_REQUEST' });
  }
  assert.equal(readWebhook(null, publicOnly), null);
});

test('a platform that does not allow private targets refuses one with 403 and queues nothing', async () => {
  const other = new TestHome();
  try {
    const strict = await other.start();
    await strict.deploy({ endpoints: [endpointSpec('one', { workersMax: 0 })] });
    const at = (await strict.endpoint('one')).url;
    const webhook = `http://127.0.0.1:${port}/`;
    const answer = await strict.request('POST', `${at}/run`, { input: {}, webhook });
    assert.deepEqual([answer.status, answer.body['code']], [403, 'FORBIDDEN']);
    assert.match(String(answer.body['hint']), /--allow-private-webhooks/);
    assert.equal((await strict.endpoint('one')).jobs.inQueue, 0);
  } finally {
    await other.clean();
  }
});
