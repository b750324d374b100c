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
import {
  BLOCKED_HEADER,
  GATEWAY_SECRET_HEADER,
  REQUEST_ID_HEADER,
  WORKER_ID_HEADER,
} from '../../contract/workerProtocol.ts';
import { tooLarge } from '../http/readBody.ts';
import type { Worker } from '../workers/worker.ts';
import type { Connections } from './connections.ts';

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
  BLOCKED_HEADER,
]);

/** Our own worker keeps an execution_timeout itself; the gateway steps in for one that does not. */
const TIMEOUT_GRACE_MS = 2_000;

/** Methods that a request may be sent again with: nothing comes of it twice (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

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

/** The worker did not begin to answer within the endpoint's own execution_timeout. */
export class FunctionTimeout extends ToolkitError {
  constructor(seconds: number) {
    super('FUNCTION_TIMEOUT', `The function did not answer within its execution_timeout of ${seconds} s.`, {
      hint: 'Raise execution_timeout of the endpoint, or do less in one request.',
    });
  }
}

/** A request on its way to a worker. */
export interface Forwarding {
  incoming: IncomingMessage;
  response: ServerResponse;
  worker: Worker;
  requestId: string;
  connections: Connections;
  /** The worker says that it goes on with a function that is over its time. */
  blocked(): void;
}

/**
 * Forwards a request; resolves when its answer was sent.
 *
 * @throws ToolkitError while nothing was answered: PAYLOAD_TOO_LARGE, CALL_TIMEOUT, FUNCTION_TIMEOUT, CALL_FAILED;
 *   WorkerLost, WorkerNotReached.
 */
export async function forward(forwarding: Forwarding): Promise<void> {
  const { worker, connections } = forwarding;
  const isDone = await send(forwarding, connections.of(worker.id));
  if (!isDone) await send(forwarding, new Agent());
}

/** @returns False when a kept connection turned out to be closed and the request may be sent again. */
function send(
  { incoming, response, worker, requestId, blocked }: Forwarding,
  agent: Agent,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: '127.0.0.1',
      port: worker.port,
      method: incoming.method,
      path: incoming.url,
      headers: workerHeaders(incoming, worker, requestId),
    });
    const { executionTimeout, command } = worker.target.spec;
    const timer =
      executionTimeout === null
        ? setTimeout(() => outgoing.destroy(tooLate()), GATEWAY_LIMITS.processing)
        : setTimeout(
            () => outgoing.destroy(new FunctionTimeout(executionTimeout)),
            executionTimeout * 1000 + (command ? 0 : TIMEOUT_GRACE_MS),
          );
    const fail = (error: Error) => {
      clearTimeout(timer);
      incoming.unpipe(outgoing);
      if (response.headersSent || response.destroyed) {
        response.destroy();
        resolve(true);
      } else if (isClosed(error) && outgoing.reusedSocket && isRepeatable(incoming)) resolve(false);
      else if (isRefused(error)) reject(new WorkerNotReached(error));
      else reject(error instanceof ToolkitError ? error : new WorkerLost(error));
    };
    outgoing.on('error', fail);
    outgoing.on('response', (answer) => {
      clearTimeout(timer);
      answer.on('error', () => response.destroy());
      if (answer.headers[BLOCKED_HEADER] !== undefined) blocked();
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
      resolve(true);
    });
    outgoing.once('socket', (socket) => {
      // The body is not touched before the worker is reached: it can still go to another one.
      const pass = () => {
        limited(incoming, () => outgoing.destroy(tooLarge(GATEWAY_LIMITS.bodyBytes)));
        incoming.pipe(outgoing);
      };
      if (socket.connecting) socket.once('connect', pass);
      else pass();
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

function tooLate(): ToolkitError {
  return new ToolkitError('CALL_TIMEOUT', 'The worker did not answer within 5.5 minutes.');
}

function isClosed(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function isRefused(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}

/** Whether a request may reach a worker twice. A body, of which some may be read, is never sent again. */
function isRepeatable({ method = '', headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return REPEATABLE.has(method) && !hasBody;
}
