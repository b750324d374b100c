/** Passes a WebSocket through: the worker's answer to the upgrade, then bytes both ways. */
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER, WORKER_ID_HEADER } from '../../contract/workerProtocol.ts';
import type { Worker } from '../workers/worker.ts';
import { workerHeaders } from './forward.ts';

/** Resolves when the connection is over. */
export function passUpgrade(
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
  worker: Worker,
  requestId: string,
): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: worker.port,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...workerHeaders(incoming, worker, requestId),
        connection: 'Upgrade',
        upgrade: incoming.headers.upgrade ?? 'websocket',
      },
    });
    const ids = [`${WORKER_ID_HEADER}: ${worker.id}`, `${REQUEST_ID_HEADER}: ${requestId}`];
    client.on('error', () => outgoing.destroy());
    client.once('close', () => {
      outgoing.destroy();
      resolve();
    });
    outgoing.on('error', () => client.destroy());
    outgoing.on('upgrade', (answer, upstream, first) => {
      client.write(`${statusLine(answer)}\r\n${[...rawHeaders(answer), ...ids].join('\r\n')}\r\n\r\n`);
      upstream.on('error', () => client.destroy());
      if (first.length > 0) client.write(first);
      if (head.length > 0) upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    // The worker declined: its answer goes back as it is.
    outgoing.on('response', (answer) => {
      const headers = rawHeaders(answer).filter((line) => !/^(connection|transfer-encoding):/i.test(line));
      client.write(
        `${statusLine(answer)}\r\n${[...headers, ...ids, 'connection: close'].join('\r\n')}\r\n\r\n`,
      );
      answer.pipe(client);
    });
    outgoing.end();
  });
}

function statusLine(answer: IncomingMessage): string {
  return `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`;
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}
