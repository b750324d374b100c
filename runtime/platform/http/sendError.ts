/**
 * Sends errors over HTTP: `{ error, code, hint }`. Any error that is not a ToolkitError is logged and masked
 * here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ToolkitError } from '../../contract/errors.ts';
import { RetryLater } from '../auth/authorize.ts';
import type { Log } from '../log.ts';
import { JSON_TYPE } from './exchange.ts';
import { MethodNotAllowed } from './routes.ts';

/** How long further data of a refused client is read. */
const DROP_MS = 10_000;

/** Seconds after which a client can try again. */
const RETRY_AFTER = new Map<ErrorCode, number>([
  ['DRAINING', 2],
  ['QUEUE_FULL', 1],
]);

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The response for an error. An unexpected error is logged, and the response contains no details. */
export function errorAnswer(error: unknown, log: Log): ErrorAnswer {
  const known = error instanceof ToolkitError ? error : masked(error, log);
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  const retryAfter = known instanceof RetryLater ? known.retryAfter : RETRY_AFTER.get(known.code);
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (known instanceof MethodNotAllowed) headers['allow'] = known.allowed.join(', ');
  return { status: known.status, headers, body: JSON.stringify(known.toHttp()) };
}

/**
 * Responds to a refused request. The client gets the response at once. The response ends only when the request has
 * ended: if the connection closed while the client is still sending, the client could not read the reason.
 */
export function sendError(request: IncomingMessage, response: ServerResponse, answer: ErrorAnswer): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const length = Buffer.byteLength(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
  if (request.complete || request.readableEnded || request.destroyed) {
    response.end(answer.body);
    return;
  }
  response.write(answer.body);
  const timer = setTimeout(() => request.destroy(), DROP_MS);
  request.once('end', () => response.end());
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

/** Logs an unexpected error and returns the one that clients see. */
export function masked(error: unknown, log: Log): ToolkitError {
  log.error({ err: error }, 'unexpected error');
  return new ToolkitError('INTERNAL', 'The platform failed to handle this request.', {
    hint: 'See the platform log: platform/platform.log in TOOLKIT_HOME.',
  });
}
