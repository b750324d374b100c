/** Connections that an agent dials when it gets their numbers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { AgentOrder } from '../../runtime/contract/agentProtocol.ts';
import { RemoteStreams } from '../../runtime/platform/drivers/remoteStreams.ts';

const server = createServer({ allowHalfOpen: true });
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close());

/** Both ends of a connection: the agent's and the platform's. */
async function dialled(): Promise<[Socket, Socket]> {
  const accepted = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  const agent = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  return [agent, ((await accepted) as [Socket])[0]];
}

/** Streams of a connected node, and the numbers that its agent got. */
function streamsOf(isConnected = true): { streams: RemoteStreams; numbers: string[] } {
  const numbers: string[] = [];
  const streams = new RemoteStreams((order: AgentOrder) => {
    if (order.type === 'open-stream') numbers.push(order.stream);
    return isConnected;
  });
  return { streams, numbers };
}

test('data written before the agent has dialled is sent afterwards, and both sides can end first', async () => {
  const { streams, numbers } = streamsOf();
  const stream = streams.open('w1');
  stream.write('early ');
  const [agent, socket] = await dialled();
  assert.ok(streams.carry(numbers[0]!, socket));
  stream.end('and late');
  assert.equal((await agent.toArray()).join(''), 'early and late');
  agent.end('answer');
  assert.equal((await stream.toArray()).join(''), 'answer');
  if (!stream.closed) await once(stream, 'close');
  assert.ok(socket.destroyed);
});

test('a number is accepted once, and only while it is expected', async () => {
  const { streams, numbers } = streamsOf();
  const stream = streams.open('w1');
  streams.open('w2').on('error', () => undefined);
  assert.equal(new Set(numbers).size, 2);
  assert.match(numbers[0]!, /^[0-9a-f]{32}$/);
  const [agent, socket] = await dialled();
  assert.ok(!streams.carry('0'.repeat(32), socket));
  assert.ok(streams.carry(numbers[0]!, socket));
  assert.ok(!streams.carry(numbers[0]!, socket));
  streams.failed(numbers[1]!, 'Refused.');
  assert.ok(!streams.carry(numbers[1]!, socket));
  stream.destroy();
  await once(agent.resume(), 'end');
  agent.destroy();
});

for (const [title, fail] of [
  ['whose node is full', (streams, number) => streams.failed(number, 'No room.', true)],
  ['whose node is lost', (streams) => streams.lost()],
  ['that the agent does not dial', () => undefined],
] as [string, (streams: RemoteStreams, number: string) => void][]) {
  test(`a stream ${title} fails like a connection to an unreachable host`, async () => {
    const { streams, numbers } = streamsOf();
    const failed = once(streams.open('w1'), 'error');
    fail(streams, numbers[0]!);
    assert.equal(((await failed)[0] as { code: string }).code, 'EHOSTUNREACH');
  });
}

test('a stream that its worker refuses fails like a refused connection', async () => {
  const { streams, numbers } = streamsOf();
  const failed = once(streams.open('w1'), 'error');
  streams.failed(numbers[0]!, 'Connection refused.');
  assert.equal(((await failed)[0] as { code: string }).code, 'ECONNREFUSED');
});

test('a stream to a node that is not connected fails at once', async () => {
  const [error] = (await once(streamsOf(false).streams.open('w1'), 'error')) as [{ code: string }];
  assert.equal(error.code, 'EHOSTUNREACH');
});

test('the connection for a stream that was given up before the agent dialled is closed', async () => {
  const { streams, numbers } = streamsOf();
  const stream = streams.open('w1');
  stream.destroy();
  const [agent, socket] = await dialled();
  assert.ok(streams.carry(numbers[0]!, socket));
  await once(agent.resume(), 'end');
  agent.destroy();
});

test('the end of a node ends its streams; the lost connection of its agent keeps the open ones', async () => {
  const { streams, numbers } = streamsOf();
  const stream = streams.open('w1');
  const [agent, socket] = await dialled();
  streams.carry(numbers[0]!, socket);
  await once(stream, 'connect');
  streams.lost();
  agent.write('still here');
  assert.equal(String((await once(stream, 'data'))[0]), 'still here');
  const failed = once(stream, 'error') as Promise<[NodeJS.ErrnoException]>;
  streams.close();
  assert.equal((await failed)[0].code, 'ECONNRESET');
  await once(agent.resume(), 'end');
  agent.destroy();
});
