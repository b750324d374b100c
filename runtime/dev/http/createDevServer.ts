/** Composes dev's HTTP server: rejects foreign requests, serves dev's own paths, forwards the rest to live endpoints. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Router } from '@koa/router';
import Koa from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { headWithoutOffer, isIgnoredOffer } from '../../contract/protocolOffer.ts';
import { admit, requireToken } from './admit.ts';
import { type Destination, proxy, proxyUpgrade, readEarly } from './proxy.ts';
import { ResponseTimeout } from './ResponseTimeout.ts';

/** Where a request is forwarded, with a description for the log. */
export interface Forwarding extends Destination {
  /** Endpoint and hardware, as in `live-gpu_worker · CPU, no GPU here`. */
  where: string;
}

export interface DevServerContext {
  /** The address that dev listens on. */
  host: string;
  /** Another host that it can be reached at, such as that of a port forwarded by an editor. */
  externalHost(): string | null;
  /** Required in every request but `GET /`; null if only this machine can connect. */
  token: string | null;
  /** The body of `GET /`. */
  health(): object;
  /** Serves dev's other own paths. */
  pages: Router;
  /**
   * Finds the endpoint of a request, and provisions it if needed.
   *
   * @throws ToolkitError with the reason if nothing can handle the request.
   */
  forwarding(method: string, path: string): Promise<Forwarding>;
  /** Called when a request is forwarded to an endpoint. */
  forwarded(): void;
  /** Called when a response was sent. `where` is null if it was not forwarded. */
  answered(request: {
    method: string;
    path: string;
    status: number;
    milliseconds: number;
    where: string | null;
  }): void;
  /** Called for an unexpected error, which is a bug in the toolkit. */
  failed(error: unknown): void;
}

/** A request in progress. */
class Underway {
  where: string | null = null;
  readonly startedAt = performance.now();
  readonly timeout = new ResponseTimeout();
}

/** Errors of a stream whose reader is gone, such as a closed page. */
const GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

export function createDevServer(context: DevServerContext): Server {
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code ?? '')) context.failed(error);
  });
  const router = new Router();
  router.get('/', (http) => {
    http.body = context.health();
  });
  app.use(async (http, next) => {
    try {
      admit(http.headers, context.host, context.externalHost());
      await next();
    } catch (error) {
      const known = asToolkitError(error, context);
      http.status = known.status;
      http.body = known.toHttp();
    }
  });
  app.use(router.routes());
  app.use(context.pages.routes());
  app.use(async (http) => {
    const underway = new Underway();
    const { method, path, req, res } = http;
    try {
      const forwarding = await find(context, req, underway);
      // The proxy writes the response; Koa must not.
      http.respond = false;
      const status = await proxy(req, res, forwarding, underway.timeout.signal);
      report(context, { method, path }, status, underway);
    } catch (error) {
      const known = asToolkitError(error, context);
      report(context, { method, path }, known.status, underway);
      if (http.respond !== false) throw known;
      sendError(res, known);
    } finally {
      underway.timeout.end();
    }
  });
  const server = createServer(app.callback());
  server.requestTimeout = 0;
  server.on('upgrade', (request, socket, head) => {
    if (isIgnoredOffer(request)) {
      // Feed the request back to the server without the offer.
      socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(request), 'latin1'), head]));
      server.emit('connection', socket);
    } else void upgrade(context, request, socket, head);
  });
  return server;
}

async function find(
  context: DevServerContext,
  request: IncomingMessage,
  underway: Underway,
): Promise<Forwarding> {
  const method = request.method ?? 'GET';
  if (context.token !== null) requireToken(request.headers, context.token);
  requireJson(method, request);
  const target = request.url ?? '/';
  const path = target.split('?', 1)[0]!;
  const query = target.slice(path.length);
  const { timeout } = underway;
  const forwarding = await timeout.for(context.forwarding(method, path));
  // Do not run the function for a caller that has disconnected.
  if (request.socket.destroyed) throw new ToolkitError('INTERRUPTED', 'The caller disconnected.');
  underway.where = forwarding.where;
  context.forwarded();
  if (forwarding.waitsForJob) limitWait(forwarding, new URLSearchParams(query), timeout);
  else forwarding.target += query;
  return forwarding;
}

/** Limits the wait to the remaining time. After a shorter `wait`, the caller gets the job's state, as on the platform. */
function limitWait(forwarding: Forwarding, query: URLSearchParams, timeout: ResponseTimeout): void {
  const asked = query.get('wait');
  if (asked !== null && Number(asked) < timeout.left) forwarding.waitsForJob = false;
  else {
    query.set('wait', String(timeout.left));
    timeout.leaveToPlatform();
  }
  forwarding.target += `?${query.toString()}`;
}

async function upgrade(
  context: DevServerContext,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const underway = new Underway();
  const path = (request.url ?? '/').split('?', 1)[0]!;
  // An error is followed by `close`, which is handled.
  socket.on('error', () => {});
  const early = readEarly(socket, head);
  try {
    admit(request.headers, context.host, context.externalHost());
    const forwarding = await find(context, request, underway);
    const status = await proxyUpgrade(request, socket, early, forwarding);
    report(context, { method: 'GET', path }, status, underway);
  } catch (error) {
    const known = asToolkitError(error, context);
    report(context, { method: 'GET', path }, known.status, underway);
    const body = JSON.stringify(known.toHttp());
    const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
    socket.end(`HTTP/1.1 ${known.status} Refused\r\n${headers}\r\n\r\n${body}`);
  } finally {
    underway.timeout.end();
  }
}

/**
 * Accepts only JSON bodies. Dev requires no key on localhost, so a form on another site could post to it. A browser
 * sends JSON to another site only after a preflight request.
 */
function requireJson(method: string, { headers }: IncomingMessage): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  if (!hasBody || isJson || method === 'GET' || method === 'HEAD') return;
  throw new ToolkitError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The Content-Type of this request is not application/json.',
    {
      hint: 'Send the header "Content-Type: application/json".',
    },
  );
}

function report(
  context: DevServerContext,
  request: { method: string; path: string },
  status: number,
  { where, startedAt }: Underway,
): void {
  context.answered({ ...request, status, milliseconds: Math.round(performance.now() - startedAt), where });
}

function asToolkitError(error: unknown, context: DevServerContext): ToolkitError {
  if (error instanceof ToolkitError) return error;
  context.failed(error);
  return new ToolkitError('INTERNAL', 'The dev server failed to handle this request.', {
    hint: 'See the terminal of "toolkit dev" for details.',
  });
}

function sendError(response: ServerResponse, error: ToolkitError): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(error.toHttp()));
}
