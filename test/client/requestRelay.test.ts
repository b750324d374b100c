/** Sends the requests of a panel: only to the dev server, and chunk by chunk. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { RequestRelay } from '../../client/request/RequestRelay.ts';
import type { ToPanel } from '../../runtime/contract/panelMessages.ts';

describe('the relay of a request panel', () => {
  const asked: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? 'no body'}`);
    answer(request, response);
  });
  const elsewhere = createServer(() => assert.fail('it was reached'));
  const originOf = (one: typeof server) => `http://127.0.0.1:${(one.address() as { port: number }).port}`;
  const addressOf = (one: typeof server, token: string | null = null) => ({ url: originOf(one), token });

  before(async () => {
    for (const one of [server, elsewhere]) await once(one.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    for (const one of [server, elsewhere]) one.close().closeAllConnections();
  });

  /** A relay, and its messages as they arrive. */
  function relay(): { relay: RequestRelay; next: () => Promise<ToPanel> } {
    const come: ToPanel[] = [];
    let wake = () => {};
    const made = new RequestRelay(async (message) => {
      come.push(message);
      wake();
    });
    const next = async () => {
      while (come.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return come.shift()!;
    };
    return { relay: made, next };
  }

  it('passes on head and body', async () => {
    answer = (_, response) => response.writeHead(201, { 'x-mark': 'one' }).end('done');
    const { relay: own, next } = relay();
    own.send(addressOf(server), {
      type: 'request',
      id: 1,
      method: 'DELETE',
      path: '/a?b=c',
      body: '{"d": 1}',
    });
    const head = await next();
    assert.ok(head.type === 'head' && head.status === 201);
    assert.deepEqual(
      head.headers.find(([name]) => name === 'x-mark'),
      ['x-mark', 'one'],
    );
    const chunk = await next();
    assert.equal(chunk.type === 'chunk' && Buffer.from(chunk.bytes).toString(), 'done');
    assert.deepEqual(await next(), { type: 'end', id: 1 });
    assert.equal(asked.pop(), 'DELETE /a?b=c application/json');
  });

  it('adds the token of a dev server that other machines can reach, but to no other request', async () => {
    const given: (string | undefined)[] = [];
    answer = ({ headers }, response) => {
      given.push(headers.authorization);
      response.end();
    };
    const { relay: own, next } = relay();
    for (const [id, token] of [null, 'abc'].entries()) {
      own.send(addressOf(server, token), { type: 'request', id, method: 'POST', path: '/', body: '{}' });
      for (let message = await next(); message.type !== 'end'; ) message = await next();
    }
    assert.deepEqual(given, [undefined, 'Bearer abc']);
  });

  it('passes on a stream as it arrives, and ends it', async () => {
    const closed = Promise.withResolvers<void>();
    answer = (_, response) => {
      response.once('close', () => closed.resolve());
      response.write('first');
    };
    const { relay: own, next } = relay();
    own.send(addressOf(server), { type: 'request', id: 2, method: 'GET', path: '/stream', body: null });
    assert.equal((await next()).type, 'head');
    assert.equal((await next()).type, 'chunk');
    own.abort(2);
    await closed.promise;
  });

  it('reports a response that breaks off, and a missing dev server', async () => {
    answer = (_, response) => {
      response.write('first');
      setImmediate(() => response.destroy());
    };
    const { relay: own, next } = relay();
    own.send(addressOf(server), { type: 'request', id: 3, method: 'GET', path: '/', body: null });
    let message = await next();
    while (message.type !== 'failed') message = await next();
    assert.deepEqual(message, { type: 'failed', id: 3, message: 'the connection was closed' });
    own.send(null, { type: 'request', id: 4, method: 'GET', path: '/', body: null });
    assert.deepEqual(await next(), { type: 'failed', id: 4, message: 'it is stopped' });
  });

  it('reaches only the dev server, whatever the path', async () => {
    answer = (_, response) => response.end();
    const { relay: own, next } = relay();
    const other = originOf(elsewhere);
    own.send(addressOf(server), { type: 'request', id: 5, method: 'GET', path: `${other}/`, body: null });
    assert.deepEqual(await next(), { type: 'failed', id: 5, message: `"${other}/" is not a path` });
    const path = other.slice('http:'.length);
    own.send(addressOf(server), { type: 'request', id: 6, method: 'GET', path, body: null });
    assert.equal((await next()).type, 'head');
    assert.equal(asked.pop(), `GET ${path} no body`);
  });
});
