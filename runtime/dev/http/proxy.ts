/** One request → the platform, and its answer back, both streaming. The key is added here and never leaves this process. */
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { ToolkitError } from '../../contract/errors.ts';
import { CALL_LIMITS } from '../../contract/limits.ts';

/** Headers of one connection only (RFC 9110, 7.6.1), and those that a client of dev has no say in. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
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
  'cookie',
  'host',
  'origin',
  'referer',
]);

const PLAIN = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 4_000 });
const TLS = new TlsAgent({ keepAlive: true, maxFreeSockets: 64, timeout: 4_000 });

/** Where a request goes, and with which key. */
export interface Destination {
  url: URL;
  key: string;
  /** Headers that the answer gets in addition. */
  headers: Record<string, string>;
}

/**
 * Forwards a request; resolves with the status of the answer when it was sent.
 *
 * @throws ToolkitError while nothing was answered: CALL_TIMEOUT after 60 s without a first byte, PLATFORM_UNREACHABLE.
 */
export function proxy(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, key, headers }: Destination,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = open(url, incoming, key);
    const timer = setTimeout(() => outgoing.destroy(timedOut()), CALL_LIMITS.requestTimeoutSeconds * 1_000);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      incoming.unpipe(outgoing);
      if (!response.headersSent && !response.destroyed) return reject(asToolkitError(error, url));
      response.destroy();
      resolve(response.statusCode);
    });
    outgoing.on('response', (answer) => {
      clearTimeout(timer);
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, { ...forwarded(answer.headers), ...headers });
      answer.pipe(response);
    });
    response.once('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) outgoing.destroy();
      resolve(response.statusCode);
    });
    incoming.pipe(outgoing);
  });
}

/** Passes a WebSocket through; resolves when the connection is over. */
export function proxyUpgrade(
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { url, key }: Destination,
): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = open(url, incoming, key, {
      connection: 'Upgrade',
      upgrade: incoming.headers.upgrade ?? 'websocket',
    });
    let status = 502;
    client.on('error', () => outgoing.destroy());
    client.once('close', () => {
      outgoing.destroy();
      resolve(status);
    });
    outgoing.on('error', () => client.destroy());
    outgoing.on('upgrade', (answer, upstream, first) => {
      status = answer.statusCode ?? 502;
      client.write(`${statusLine(answer)}\r\n${rawHeaders(answer).join('\r\n')}\r\n\r\n`);
      upstream.on('error', () => client.destroy());
      if (first.length > 0) client.write(first);
      if (head.length > 0) upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    // The worker declined the upgrade: its answer is passed on unchanged.
    outgoing.on('response', (answer) => {
      status = answer.statusCode ?? 502;
      const lines = rawHeaders(answer).filter((line) => !/^(connection|transfer-encoding):/i.test(line));
      client.write(`${statusLine(answer)}\r\n${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`);
      answer.pipe(client);
    });
    outgoing.end();
  });
}

function open(url: URL, incoming: IncomingMessage, key: string, more: Record<string, string> = {}) {
  const isTls = url.protocol === 'https:';
  const isUpgrade = more['upgrade'] !== undefined;
  const headers: IncomingHttpHeaders = {
    ...forwarded(incoming.headers),
    // Node frames a GET's body only when it is told to.
    ...(incoming.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    ...more,
    authorization: `Bearer ${key}`,
  };
  const options = { method: incoming.method ?? 'GET', headers };
  if (isTls) return tlsRequest(url, { ...options, ...(isUpgrade ? {} : { agent: TLS }) });
  return request(url, { ...options, ...(isUpgrade ? {} : { agent: PLAIN }) });
}

function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name) && !named.has(name)),
  );
}

function statusLine({ statusCode, statusMessage }: IncomingMessage): string {
  return `HTTP/1.1 ${statusCode ?? 502} ${statusMessage ?? ''}`;
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}

function timedOut(): ToolkitError {
  const seconds = CALL_LIMITS.requestTimeoutSeconds;
  return new ToolkitError('CALL_TIMEOUT', `The worker did not answer within ${seconds} s.`, {
    hint: 'It may still be provisioning: wait and send the request again, or see its log in this terminal.',
  });
}

function asToolkitError(error: Error, url: URL): ToolkitError {
  if (error instanceof ToolkitError) return error;
  return new ToolkitError('PLATFORM_UNREACHABLE', `${url.origin} cannot be reached: ${error.message}.`, {
    hint: 'Start dev again; `toolkit platform status` shows whether the platform runs.',
    cause: error,
  });
}
