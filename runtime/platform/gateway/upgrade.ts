/** Forwards a WebSocket: the worker's answer to the upgrade, then bytes both ways. */
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER, WORKER_ID_HEADER } from '../../contract/workerProtocol.ts';
import type { Slot } from './balance.ts';
import { isNotReached, WorkerNotReached } from './forwardErrors.ts';
import { requestHeaders } from './forwardedHeaders.ts';
import { FrameBoundary } from './frameBoundary.ts';

/** Close frames with status 1001 (going away): one for a client, and a masked one for a worker. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);
const GOING_AWAY_MASKED = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]);
/** How long a connection can take to close after it was cut. */
const CLOSE_MS = 2_000;

export interface Upgrade {
  incoming: IncomingMessage;
  client: Duplex;
  /** Bytes that the client sent after its request. */
  head: Buffer;
  /** When the slot is cut, the connection is closed as its protocol requires. */
  slot: Slot;
  requestId: string;
  /** Connects to the worker. */
  connect: () => Duplex;
}

/**
 * Resolves when the connection has ended.
 *
 * @throws WorkerNotReached if nothing was sent to either side.
 */
export function passUpgrade({ incoming, client, head, slot, requestId, connect }: Upgrade): Promise<void> {
  const { worker } = slot;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: connect,
      method: incoming.method,
      path: incoming.url,
      headers: requestHeaders(incoming, slot, requestId).concat(
        ['connection', 'Upgrade'],
        ['upgrade', incoming.headers.upgrade ?? 'websocket'],
      ),
    });
    const ids = [`${WORKER_ID_HEADER}: ${worker.id}`, `${REQUEST_ID_HEADER}: ${requestId}`];
    const gone = () => {
      outgoing.destroy();
      resolve();
    };
    client.once('close', gone);
    outgoing.on('error', (error) => {
      if (!isNotReached(error)) return client.destroy();
      client.off('close', gone);
      reject(new WorkerNotReached(error));
    });
    outgoing.on('upgrade', (answer, upstream, first) => {
      client.write(`${statusLine(answer)}\r\n${[...rawHeaders(answer), ...ids].join('\r\n')}\r\n\r\n`);
      upstream.on('error', () => client.destroy());
      // A client that resets its connection does not end the pipe.
      client.once('close', () => upstream.destroy());
      if (first.length > 0) upstream.unshift(first);
      if (head.length > 0) upstream.write(head);
      const isWebSocket = answer.headers.upgrade?.toLowerCase() === 'websocket';
      slot.cut = isWebSocket ? cutter(client, upstream) : () => client.destroy();
      upstream.pipe(client);
      client.pipe(upstream);
    });
    // The worker declined. Its answer is sent back unchanged.
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

/** Returns a function that closes a WebSocket on both sides, between two frames of the worker. */
function cutter(client: Duplex, upstream: Duplex): () => void {
  const frames = new FrameBoundary();
  upstream.on('data', (chunk: Buffer) => frames.pass(chunk));
  let isCut = false;
  return () => {
    if (isCut) return;
    isCut = true;
    let isClosed = false;
    const close = () => {
      if (isClosed || !frames.isBetweenFrames) return;
      isClosed = true;
      upstream.unpipe(client);
      client.unpipe(upstream);
      // Further data is read and dropped, so that the end of each side is noticed.
      upstream.resume().end(GOING_AWAY_MASKED);
      client.resume().end(GOING_AWAY);
    };
    close();
    upstream.on('data', close);
    const timer = setTimeout(() => client.destroy(), CLOSE_MS);
    client.once('close', () => clearTimeout(timer));
  };
}

function statusLine(answer: IncomingMessage): string {
  return `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}`;
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}
