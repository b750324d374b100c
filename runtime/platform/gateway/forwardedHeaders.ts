/**
 * Selects the headers that are forwarded: of a request to the worker, of a response to the client. Lists
 * alternate names and values.
 */
import type { IncomingMessage } from 'node:http';
import { CONNECTION_HEADERS } from '../../contract/connectionHeaders.ts';
import {
  AWAITED_REQUEST_HEADER,
  BLOCKED_HEADER,
  GATEWAY_SECRET_HEADER,
  REQUEST_ID_HEADER,
  REQUEST_NUMBER_HEADER,
  WORKER_ID_HEADER,
} from '../../contract/workerProtocol.ts';
import type { Worker } from '../workers/worker.ts';
import { type AnswerHead, namesIn } from './answerHead.ts';
import type { Slot } from './balance.ts';

/** Headers of one connection only, and headers that contain secrets of the platform. */
const NOT_FORWARDED = new Set<string>([
  ...CONNECTION_HEADERS,
  'authorization',
  GATEWAY_SECRET_HEADER,
  REQUEST_NUMBER_HEADER,
  AWAITED_REQUEST_HEADER,
  BLOCKED_HEADER,
]);

const FORWARDED_FOR_HEADER = 'x-forwarded-for';
/** Headers that the gateway sets itself. Values from the other side are dropped. */
const OF_REQUESTS = new Set([...NOT_FORWARDED, FORWARDED_FOR_HEADER, REQUEST_ID_HEADER]);
const OF_ANSWERS = new Set([...NOT_FORWARDED, WORKER_ID_HEADER, REQUEST_ID_HEADER]);

/**
 * The headers for the worker: those of the client without its key, the gateway's secret, and the request's id and
 * number.
 */
export function requestHeaders(
  incoming: IncomingMessage,
  { worker, number }: Slot,
  requestId: string,
): string[] {
  const { headers, socket } = incoming;
  const named = namedBy(headers.connection === undefined ? [] : namesIn(headers.connection));
  const isChunked = headers['transfer-encoding'] !== undefined;
  const forwarded: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (OF_REQUESTS.has(name) || named?.has(name) || value === undefined) continue;
    if (isChunked && name === 'content-length') continue;
    if (typeof value === 'string') forwarded.push(name, value);
    else for (const each of value) forwarded.push(name, each);
  }
  if (isChunked) forwarded.push('transfer-encoding', 'chunked');
  forwarded.push(FORWARDED_FOR_HEADER, socket.remoteAddress ?? '');
  forwarded.push(GATEWAY_SECRET_HEADER, worker.gatewaySecret ?? '');
  forwarded.push(REQUEST_ID_HEADER, requestId);
  forwarded.push(REQUEST_NUMBER_HEADER, String(number));
  return forwarded;
}

/** The headers for the client: those of the worker, and the ids of worker and request. */
export function answerHeaders(head: AnswerHead, worker: Worker, requestId: string): string[] {
  const { headers } = head;
  const named = namedBy(head.connection);
  const forwarded: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    if (!OF_ANSWERS.has(name) && !named?.has(name)) forwarded.push(name, headers[at + 1]!);
  }
  forwarded.push(WORKER_ID_HEADER, worker.id, REQUEST_ID_HEADER, requestId);
  return forwarded;
}

/** The headers that offer or accept another protocol. */
export function switching(protocol: string): string[] {
  return ['connection', 'Upgrade', 'upgrade', protocol];
}

/** The protocol that a response switches to; null if it names none. */
export function protocolIn({ headers }: AnswerHead): string | null {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name === 'upgrade');
  return at === -1 ? null : headers[at + 1]!;
}

/**
 * The headers that a Connection header excludes. Content-Length is always kept: without it, a body would be
 * read as the next message.
 */
function namedBy(connection: string[]): Set<string> | null {
  const named = new Set(connection);
  named.delete('content-length');
  return named.size > 0 ? named : null;
}
