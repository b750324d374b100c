/** A request that a worker does not accept: nothing of it was sent, so another worker can get it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { connectTo } from '../../runtime/platform/drivers/workerAddress.ts';
import { Connections } from '../../runtime/platform/gateway/connections.ts';
import { forward } from '../../runtime/platform/gateway/forward.ts';
import { WorkerNotReached } from '../../runtime/platform/gateway/forwardErrors.ts';
import type { Worker } from '../../runtime/platform/workers/worker.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'toolkit-socket-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The outcome of a request to a worker at an address. */
async function forwarded(address: string): Promise<unknown> {
  const worker = { id: 'w1', gatewaySecret: 's', target: { spec: { executionTimeout: 60 } } };
  const connections = new Connections((_worker, onData) => connectTo(address, onData));
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((incoming, response) => {
    const slot = { worker: worker as Worker, number: 1, cut: () => {}, leave: () => {} };
    const events = { blocked: () => {}, abandoned: () => {} };
    forward({ incoming, response, slot, requestId: 'r1', upgrade: null, ...events }, connections).then(
      outcome.resolve,
      outcome.resolve,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const result = await outcome.promise;
  client.destroy();
  connections.destroy();
  server.close();
  return result;
}

test('a worker whose socket does not exist counts as not reached', async () => {
  assert.ok((await forwarded(`unix:${path.join(folder, 'none')}`)) instanceof WorkerNotReached);
});

test('a worker whose socket has too many waiting connections counts as not reached', async (t) => {
  const file = path.join(folder, 'full');
  const program = `import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(0); print(flush=True); sys.stdin.read()`;
  const listener = spawn('python3', ['-c', program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => listener.kill());
  await once(listener.stdout, 'data');
  const waiting = connect(file);
  t.after(() => waiting.destroy());
  await once(waiting, 'connect');
  assert.ok((await forwarded(`unix:${file}`)) instanceof WorkerNotReached);
});
