/** Sends one request on to a worker and its answer back, both streaming, each within its limit. */
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import { GATEWAY_SECRET_HEADER, REQUEST_ID_HEADER, WORKER_ID_HEADER } from '../../contract/workerProtocol.ts';
import { tooLarge } from '../http/readBody.ts';
import type { Worker } from '../workers/worker.ts';

/** Workers close idle connections after 5 s: ours are closed before, so that no request meets a closing one. */
const IDLE_CONNECTION_MS = 4_000;

/** Headers of one connection only (RFC 9110, 7.6.1), and those that would carry the platform's key. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'authorization',
  GATEWAY_SECRET_HEADER,
]);

export const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: IDLE_CONNECTION_MS });

/** Nobody listens at the worker's port: nothing of the request was sent, another worker may have it. */
export class WorkerNotReached extends Error {
  override readonly name = 'WorkerNotReached';

  constructor(cause: Error) {
    super('The worker accepts no connections.', { cause });
  }
}

/** The connection to the worker ended before an answer: it got the request, so no other one may have it. */
export class WorkerLost extends ToolkitError {
  constructor(cause: Error) {
    super('CALL_FAILED', 'The worker ended before it answered.', {
      hint: '`toolkit logs` shows its last lines.',
      cause,
    });
  }
}

/**
 * Forwards a request; resolves when its answer was sent.
 *
 * @throws ToolkitError while nothing was answered: PAYLOAD_TOO_LARGE, CALL_TIMEOUT, CALL_FAILED; WorkerLost, WorkerNotReached.
 */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  worker: Worker,
  requestId: string,
  retried = false,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: '127.0.0.1',
      port: worker.port,
      method: incoming.method,
      path: incoming.url,
      headers: workerHeaders(incoming, worker, requestId),
    });
    const timer = setTimeout(() => {
      outgoing.destroy(new ToolkitError('CALL_TIMEOUT', 'The worker did not answer within 5.5 minutes.'));
    }, GATEWAY_LIMITS.processing);
    const fail = (error: Error) => {
      clearTimeout(timer);
      incoming.unpipe(outgoing);
      if (response.headersSent || response.destroyed) {
        response.destroy();
        resolve();
      } else if (isStaleConnection(error, outgoing.reusedSocket) && hasNoBody(incoming) && !retried) {
        resolve(forward(incoming, response, worker, requestId, true));
      } else if (isRefused(error)) reject(new WorkerNotReached(error));
      else reject(error instanceof ToolkitError ? error : new WorkerLost(error));
    };
    outgoing.on('error', fail);
    outgoing.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      if (Number(answer.headers['content-length'] ?? 0) > GATEWAY_LIMITS.bodyBytes) {
        return outgoing.destroy(new ToolkitError('CALL_FAILED', "The worker's answer is larger than 30 MB."));
      }
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, {
        ...forwardedHeaders(answer.headers),
        [WORKER_ID_HEADER]: worker.id,
        [REQUEST_ID_HEADER]: requestId,
      });
      limited(answer, () => response.destroy());
      answer.pipe(response);
    });
    response.once('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) outgoing.destroy();
      resolve();
    });
    outgoing.once('socket', (socket) => {
      // The body is not touched before the worker is reached: it can still go to another one.
      const send = () => {
        limited(incoming, () => outgoing.destroy(tooLarge(GATEWAY_LIMITS.bodyBytes)));
        incoming.pipe(outgoing);
      };
      if (retried) outgoing.end();
      else if (socket.connecting) socket.once('connect', send);
      else send();
    });
  });
}

/** What the worker gets: the client's headers without its key, the gateway's secret, the request's id. */
export function workerHeaders(
  incoming: IncomingMessage,
  worker: Worker,
  requestId: string,
): IncomingHttpHeaders {
  return {
    ...forwardedHeaders(incoming.headers),
    // Node frames a GET's body only when it is told to.
    ...(incoming.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    'x-forwarded-for': incoming.socket.remoteAddress ?? '',
    [GATEWAY_SECRET_HEADER]: worker.gatewaySecret ?? '',
    [REQUEST_ID_HEADER]: requestId,
  };
}

function forwardedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  // Without its length a body would be read as the next request on the worker's connection.
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name) && !named.has(name)),
  );
}

/** Calls `over` once when more than the gateway's limit went through. */
function limited(stream: IncomingMessage, over: () => void): void {
  let size = 0;
  const count = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= GATEWAY_LIMITS.bodyBytes) return;
    stream.off('data', count);
    over();
  };
  stream.on('data', count);
}

/** A kept connection that the worker closed just now: nothing of the request reached it. */
function isStaleConnection(error: Error, reused: boolean): boolean {
  return reused && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function isRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}

function hasNoBody(incoming: IncomingMessage): boolean {
  return (
    incoming.headers['transfer-encoding'] === undefined &&
    Number(incoming.headers['content-length'] ?? 0) === 0
  );
}
