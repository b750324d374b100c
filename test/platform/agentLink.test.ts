import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  AGENT_PROTOCOL,
  type AgentOrder,
  type AgentReport,
  type AgentStart,
  LARGEST_FRAME,
} from '../../runtime/contract/agentProtocol.ts';
import type { Assignment } from '../../runtime/contract/workerProtocol.ts';
import { AgentLink } from '../../runtime/platform/drivers/agentLink.ts';
import { encodeFrame, FrameReader } from '../../runtime/platform/drivers/frames.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures/protocol');
const fixture = JSON.parse(readFileSync(path.join(FIXTURES, 'agent.json'), 'utf8')) as {
  start: AgentStart;
  orders: unknown[];
  reports: AgentReport[];
  frames: { message: object; hex: string }[];
};

const hello = fixture.reports[0] as Extract<AgentReport, { type: 'hello' }>;

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-link-'));
const server = createServer();
before(async () => {
  server.listen(path.join(folder, 'agent.sock'));
  await once(server, 'listening');
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Dialled {
  agent: Socket;
  link: AgentLink;
  reports: AgentReport[];
  closed: Promise<void>;
}

async function dial(secret: string | null = null): Promise<Dialled> {
  const accepted = once(server, 'connection');
  const agent = connect(path.join(folder, 'agent.sock'));
  agent.on('error', () => undefined); // Closed by the platform, as some tests expect.
  const [socket] = (await accepted) as [Socket];
  const reports: AgentReport[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const events = { reported: (report: AgentReport) => void reports.push(report), closed: resolve };
  const link = new AgentLink(socket, events, secret);
  return { agent, link, reports, closed };
}

test('both sides use the same bytes for frames', () => {
  for (const { message, hex } of fixture.frames) {
    assert.equal(encodeFrame(message).toString('hex'), hex);
    const [body] = [...new FrameReader().push(Buffer.from(hex, 'hex'))];
    assert.deepEqual(JSON.parse(body!.toString()), message);
  }
});

test('frames stay whole however the stream is split', () => {
  const messages = [{ a: 'x'.repeat(1_000) }, {}, { b: 'größer' }];
  const stream = Buffer.concat(messages.map(encodeFrame));
  for (const size of [1, 3, 1_000, stream.length]) {
    const reader = new FrameReader();
    const bodies: string[] = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const body of reader.push(stream.subarray(at, at + size))) bodies.push(body.toString());
    }
    assert.deepEqual(
      bodies.map((body) => JSON.parse(body) as object),
      messages,
    );
  }
});

test('a frame that is too large is refused by its header, without allocating it', () => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(LARGEST_FRAME + 1);
  assert.throws(() => [...new FrameReader().push(head)], RangeError);
  assert.throws(() => encodeFrame({ text: 'x'.repeat(LARGEST_FRAME) }), RangeError);
});

test('reads every report of the contract', async () => {
  const { agent, link, reports, closed } = await dial();
  for (const report of fixture.reports) agent.write(encodeFrame(report));
  agent.end();
  await closed;
  assert.deepEqual(reports, fixture.reports);
  assert.ok(!link.open);
});

test('sends every order of the contract unchanged', async () => {
  const assignment = JSON.parse(readFileSync(path.join(FIXTURES, 'assignment.json'), 'utf8')) as Assignment;
  const worker = 'w4b8s1n6c2';
  const endpoint = 'x7k2mq0v9d3f5a';
  const orders: AgentOrder[] = [
    { type: 'welcome', leaseInterval: 10, patience: 20 },
    {
      type: 'start',
      order: {
        worker,
        endpoint,
        python: '/usr/bin/python3.11',
        platform: 'http://127.0.0.1:8890',
        token: 'a-token-of-this-worker-only',
        uv: null,
        environment: { PATH: '/usr/bin:/bin', RUNPOD_POD_ID: worker },
        assignment,
      },
    },
    { type: 'stop', worker, grace: 10_000 },
    { type: 'stop-jobs', worker, jobs: ['a1-u1', 'a2-u1'] },
    { type: 'list-logs', endpoint, question: 1 },
    { type: 'read-log', endpoint, worker, from: 512, question: 2 },
    { type: 'open-stream', worker, stream: '8f14e45fceea167a5a36dedd4bea2543' },
    { type: 'note', endpoint, worker, line: '{}' },
    { type: 'remove-logs', endpoint, workers: [worker] },
    { type: 'keep-logs', endpoints: [endpoint] },
    { type: 'alive' },
    { type: 'end', reason: null },
  ];
  const { agent, link } = await dial();
  for (const order of orders) link.send(order);
  const reader = new FrameReader();
  const received: unknown[] = [];
  for await (const chunk of agent as AsyncIterable<Buffer>) {
    for (const body of reader.push(chunk)) received.push(JSON.parse(body.toString()));
    if (received.length === orders.length) break;
  }
  assert.deepEqual(received, orders);
  const sent = JSON.stringify(fixture.orders).replace('"assignment.json"', () => JSON.stringify(assignment));
  assert.deepEqual(received, JSON.parse(sent));
});

/** The response to a challenge. */
async function challenge(agent: Socket, nonce: string): Promise<{ nonce: string; proof: string }> {
  agent.write(encodeFrame({ type: 'challenge', nonce }));
  const [chunk] = (await once(agent, 'data')) as [Buffer];
  const [body] = [...new FrameReader().push(chunk)];
  return JSON.parse(body!.toString()) as { nonce: string; proof: string };
}

function proofOf(secret: string, side: string, nonces: string): string {
  return createHmac('sha256', secret).update(`${side}:${nonces}`).digest('hex');
}

const NONCE = 'ab'.repeat(32);

test('an agent that proves that it knows the secret is accepted, and the platform proves it too', async () => {
  const { agent, reports, closed } = await dial('the-secret');
  const { nonce, proof } = await challenge(agent, NONCE);
  assert.equal(proof, proofOf('the-secret', 'platform', `${NONCE}:${nonce}`));
  agent.write(encodeFrame({ type: 'proof', proof: proofOf('the-secret', 'agent', `${NONCE}:${nonce}`) }));
  agent.end(encodeFrame(hello));
  await closed;
  assert.deepEqual(reports, [hello]);
});

for (const [what, prove] of [
  ['knows another secret', (nonce: string) => proofOf('a-guess', 'agent', `${NONCE}:${nonce}`)],
  ["sends back the platform's own proof", (_: string, shown: string) => shown],
  ['sends no proof', () => null],
] as const) {
  test(`a peer that ${what} is ignored`, async () => {
    const { agent, reports, closed } = await dial('the-secret');
    const { nonce, proof } = await challenge(agent, NONCE);
    agent.write(encodeFrame({ type: 'proof', proof: prove(nonce, proof) }));
    agent.write(encodeFrame(hello));
    await closed;
    assert.deepEqual(reports, []);
  });
}

test('a peer that has proved nothing cannot send a frame of a megabyte', async () => {
  const { agent, reports, closed } = await dial('the-secret');
  agent.write(frame(`"${'x'.repeat(1_000_000)}"`).subarray(0, 8));
  await closed;
  assert.deepEqual(reports, []);
});

test('the hello of another protocol version is read, whatever else it contains', async () => {
  const { agent, reports, closed } = await dial();
  agent.end(encodeFrame({ type: 'hello', protocol: AGENT_PROTOCOL + 1, pid: 4711, workers: 'elsewhere' }));
  await closed;
  const [report] = reports;
  assert.ok(report?.type === 'hello' && reports.length === 1);
  assert.deepEqual([report.protocol, report.pid, report.workers], [AGENT_PROTOCOL + 1, 4711, []]);
});

for (const [what, bytes] of [
  ['not JSON', frame('{')],
  ['JSON that is not a report', frame('[]')],
  ['nested very deeply', frame('['.repeat(1_000_000))],
  ['of an unknown type', encodeFrame({ type: 'welcome', leaseInterval: 1 })],
  ['missing fields', encodeFrame({ type: 'state', worker: 'w1', state: 'ready' })],
  ['a pid that means a process group', encodeFrame({ ...hello, pid: -1 })],
  ['a pid that means all processes', encodeFrame({ ...hello, pid: 0 })],
  ['too large', Buffer.from('ffffffff', 'hex')],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
] as const) {
  test(`a frame that is ${what} ends the connection, and nothing after it is read`, async () => {
    const { agent, reports, closed } = await dial();
    agent.write(Buffer.concat([bytes, encodeFrame(hello)]));
    await closed;
    assert.deepEqual(reports, []);
  });
}

function frame(text: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([head, Buffer.from(text)]);
}
