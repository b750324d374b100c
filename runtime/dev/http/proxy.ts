/** Streams one request to the platform and its response back. Adds the key, which clients of dev never see. */
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CONNECTION_HEADERS } from '../../contract/connectionHeaders.ts';
import { ToolkitError } from '../../contract/errors.ts';
import { type PendingJobBody, TERMINAL_STATES } from '../../contract/job.ts';
import { TOKEN_COOKIE } from './admit.ts';
import { JobTimeout } from './ResponseTimeout.ts';

/** Not forwarded in either direction: headers of one connection, and those that a client of dev must not set. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'authorization',
  'host',
  'origin',
]);

const PLAIN = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 4_000 });
const TLS = new TlsAgent({ keepAlive: true, maxFreeSockets: 64, timeout: 4_000 });

/** Status reported for a request whose caller disconnected before the response. */
const CALLER_GONE = 499;

/** In bytes. */
const LONGEST_PENDING = 300;

/** Where a request is sent, and with which key. */
export interface Destination {
  /** Base URL of the endpoint. */
  url: URL;
  /** Path and query exactly as the client sent them: a URL would normalize dots, slashes and backslashes. */
  target: string;
  key: string;
  /** Headers to add to the response. */
  headers: Record<string, string>;
  /** Whether the caller waits for a job to end. */
  waitsForJob: boolean;
}

/**
 * Forwards a request. Resolves with the status once the response is sent.
 *
 * @param signal - Aborted when the first byte takes too long.
 * @throws ToolkitError if no response was started: the signal's reason, CALL_TIMEOUT for a job, PLATFORM_UNREACHABLE.
 */
export function proxy(
  incoming: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  signal: AbortSignal,
): Promise<number> {
  const { url, headers, waitsForJob } = destination;
  return new Promise((resolve, reject) => {
    const outgoing = open(destination, incoming);
    const end = () => outgoing.destroy(signal.reason as Error);
    const answered = () => signal.removeEventListener('abort', end);
    signal.addEventListener('abort', end);
    outgoing.on('error', (error) => {
      answered();
      incoming.unpipe(outgoing);
      if (!response.headersSent && !response.destroyed) return reject(asToolkitError(error, url));
      response.destroy();
      resolve(response.statusCode);
    });
    const respond = async (answer: IncomingMessage) => {
      const short = waitsForJob && isShort(answer) ? await text(answer) : null;
      const job = short === null ? null : pendingJob(short);
      if (job) return reject(new JobTimeout(job));
      const status = answer.statusCode ?? 502;
      // Keep the connection of a client that is rejected while it still sends, even if it asked to close it.
      if (status >= 400 && !incoming.complete) response.shouldKeepAlive = true;
      response.writeHead(status, { ...forwarded(answer.headers), ...headers });
      if (short === null) answer.pipe(response);
      else response.end(short);
    };
    outgoing.on('response', (answer) => {
      answered();
      answer.on('error', () => response.destroy());
      answer.once('end', () => dropRest(incoming, outgoing));
      respond(answer).catch(() => response.destroy());
    });
    response.once('close', () => {
      answered();
      if (!response.writableFinished) outgoing.destroy();
      resolve(response.headersSent ? response.statusCode : CALLER_GONE);
    });
    incoming.pipe(outgoing);
  });
}

/**
 * Reads the client of an upgrade request before the upgrade is accepted, and keeps the bytes for `proxyUpgrade`. If the
 * client was not read, its end would not be noticed: closes the connection then.
 */
export function readEarly(client: Duplex, head: Buffer): Readable {
  const early = new PassThrough();
  early.write(head);
  client.once('end', () => {
    // Nothing reads the bytes before the upgrade is accepted.
    if (early.readableFlowing === null) client.destroy();
  });
  return client.pipe(early);
}

/** Passes a WebSocket through. Resolves when the connection has ended. */
export function proxyUpgrade(
  incoming: IncomingMessage,
  client: Duplex,
  early: Readable,
  destination: Destination,
): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = open(destination, incoming, {
      connection: 'Upgrade',
      upgrade: incoming.headers.upgrade ?? 'websocket',
    });
    let status = CALLER_GONE;
    client.once('close', () => {
      outgoing.destroy();
      resolve(status);
    });
    outgoing.on('error', () => {
      if (status === CALLER_GONE) status = 502;
      client.destroy();
    });
    outgoing.on('upgrade', (answer, upstream, first) => {
      status = answer.statusCode ?? 502;
      client.write(`${statusLine(answer)}\r\n${rawHeaders(answer).join('\r\n')}\r\n\r\n`);
      upstream.on('error', () => client.destroy());
      // A client that resets its connection does not end the pipe.
      client.once('close', () => upstream.destroy());
      if (first.length > 0) client.write(first);
      upstream.pipe(client);
      early.pipe(upstream);
    });
    // The worker declined the upgrade: pass on its response unchanged.
    outgoing.on('response', (answer) => {
      status = answer.statusCode ?? 502;
      const lines = rawHeaders(answer).filter((line) => !/^(connection|transfer-encoding):/i.test(line));
      client.write(`${statusLine(answer)}\r\n${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`);
      answer.pipe(client);
    });
    outgoing.end();
  });
}

/**
 * Reads and drops the rest of a body whose client already has its response, for example because the body is too large.
 * If the connection were cut, the client would not see the response. The rest must not stay piped: Node emits no
 * `drain` after the response has ended, so the pipe would stall.
 */
function dropRest(incoming: IncomingMessage, outgoing: ClientRequest): void {
  if (incoming.complete) return;
  incoming.unpipe(outgoing);
  outgoing.destroy();
  incoming.resume();
}

function open(
  { url, target, key }: Destination,
  incoming: IncomingMessage,
  more: Record<string, string> = {},
) {
  const isTls = url.protocol === 'https:';
  const isUpgrade = more['upgrade'] !== undefined;
  const headers: IncomingHttpHeaders = {
    ...withoutToken(forwarded(incoming.headers)),
    // Without this header, Node does not frame the body of a GET.
    ...(incoming.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    ...more,
    authorization: `Bearer ${key}`,
  };
  const options = { method: incoming.method ?? 'GET', path: target, headers };
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

/** Removes the token's cookie. Other cookies belong to the endpoint. */
function withoutToken({ cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = (cookie ?? '').split(/; */).filter((one) => one !== '' && !one.startsWith(TOKEN_COOKIE));
  return kept.length === 0 ? headers : { ...headers, cookie: kept.join('; ') };
}

function statusLine({ statusCode, statusMessage }: IncomingMessage): string {
  return `HTTP/1.1 ${statusCode ?? 502} ${statusMessage ?? ''}`;
}

function rawHeaders({ rawHeaders: raw }: IncomingMessage): string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}

/** Whether a response is short enough to be a job that has not ended, which has only an id and a state. */
function isShort({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && Number(headers['content-length']) <= LONGEST_PENDING;
}

/** The job in a response, if it has not ended; otherwise null. */
function pendingJob(answer: string): PendingJobBody | null {
  const body = JSON.parse(answer) as PendingJobBody;
  return TERMINAL_STATES.includes(body.status) ? null : body;
}

function asToolkitError(error: Error, url: URL): ToolkitError {
  if (error instanceof ToolkitError) return error;
  return new ToolkitError('PLATFORM_UNREACHABLE', `${url.origin} cannot be reached: ${error.message}.`, {
    hint: 'Run "toolkit dev" again. "toolkit platform status" shows whether the platform is running.',
    cause: error,
  });
}
