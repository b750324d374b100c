import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeWithConnection } from '../../runtime/platform/http/pipelined.ts';

/**
 * A server that never responds, and the responses to some requests that arrive at once over one connection.
 */
async function responsesTo(requests: number) {
  const responses: ServerResponse[] = [];
  const all = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    closeWithConnection(request, response);
    if (responses.push(response) === requests) all.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
  await all.promise;
  return { server, client, responses };
}

test('every response closes once with its connection, also one that waits behind another', async () => {
  const { server, client, responses } = await responsesTo(20);
  const closed = responses.map(() => 0);
  for (const [index, response] of responses.entries())
    response.on('close', () => (closed[index] = closed[index]! + 1));
  server.close();
  const last = once(responses.at(-1)!, 'close');
  client.destroy();
  await last;
  await nextTurn();
  assert.deepEqual(
    closed,
    responses.map(() => 1),
  );
  assert.ok(responses.every(({ destroyed }) => destroyed));
});

test('responses that are sent in order close once each', async () => {
  const { server, client, responses } = await responsesTo(3);
  let closed = 0;
  for (const response of responses) {
    response.on('close', () => (closed += 1));
    response.end('x');
    await once(response, 'close');
  }
  client.destroy();
  await once(server.close(), 'close');
  assert.equal(closed, 3);
});
