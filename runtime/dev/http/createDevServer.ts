/** Composes the HTTP side of dev: what is refused, dev's own paths, and everything else to a live endpoint. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Router } from '@koa/router';
import Koa from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { headWithoutOffer, isProtocolOffer } from '../../contract/protocolOffer.ts';
import { admit, requireToken } from './admit.ts';
import { Patience } from './Patience.ts';
import { type Destination, proxy, proxyUpgrade } from './proxy.ts';

/** Where a request goes, and how that is said. */
export interface Forwarding extends Destination {
  /** Endpoint and hardware, as in `live-gpu_worker · CPU, no GPU here`. */
  where: string;
}

export interface DevServerContext {
  /** The address that dev listens on. */
  host: string;
  /** A host that it is reached at besides, such as that of a port which an editor forwards. */
  externalHost(): string | null;
  /** Needed by every request but `GET /`; null where only this machine can connect. */
  token: string | null;
  /** The body of `GET /`. */
  health(): object;
  /** Answers dev's own other paths. */
  pages: Router;
  /**
   * Finds and, if need be, provisions what a request means.
   *
   * @throws ToolkitError why nothing answers it.
   */
  forwarding(method: string, path: string): Promise<Forwarding>;
  /** A request goes to an endpoint. */
  forwarded(): void;
  /** A request was answered; `where` is null for one that went to no endpoint. */
  answered(request: {
    method: string;
    path: string;
    status: number;
    milliseconds: number;
    where: string | null;
  }): void;
  /** An unexpected error, which is a bug of the toolkit. */
  failed(error: unknown): void;
}

/** A request under way. */
class Underway {
  where: string | null = null;
  readonly startedAt = performance.now();
  readonly patience = new Patience();
}

/** Errors of a stream whose reader has gone, such as a page that was closed. */
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
      // The answer is written by the proxy, Koa has nothing to add.
      http.respond = false;
      const status = await proxy(req, res, forwarding, underway.patience.signal);
      report(context, { method, path }, status, underway);
    } catch (error) {
      const known = asToolkitError(error, context);
      report(context, { method, path }, known.status, underway);
      if (http.respond !== false) throw known;
      sendError(res, known);
    } finally {
      underway.patience.end();
    }
  });
  const server = createServer(app.callback());
  server.requestTimeout = 0;
  server.on('upgrade', (request, socket, head) => {
    if (isProtocolOffer(request)) {
      // The server reads it again.
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
  const { patience } = underway;
  const forwarding = await patience.for(context.forwarding(method, path));
  // A caller that has gone meanwhile does not want the function to run.
  if (request.socket.destroyed) throw new ToolkitError('INTERRUPTED', 'The caller disconnected.');
  underway.where = forwarding.where;
  context.forwarded();
  if (forwarding.waitsForJob) limitWait(forwarding, new URLSearchParams(query), patience);
  else forwarding.target += query;
  return forwarding;
}

/** A caller that asks for a shorter wait is answered with the state of the job, as by the platform. */
function limitWait(forwarding: Forwarding, query: URLSearchParams, patience: Patience): void {
  const asked = query.get('wait');
  if (asked !== null && Number(asked) < patience.left) forwarding.waitsForJob = false;
  else {
    query.set('wait', String(patience.left));
    patience.leaveToPlatform();
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
  try {
    admit(request.headers, context.host, context.externalHost());
    const forwarding = await find(context, request, underway);
    const status = await proxyUpgrade(request, socket, head, forwarding);
    report(context, { method: 'GET', path }, status, underway);
  } catch (error) {
    const known = asToolkitError(error, context);
    report(context, { method: 'GET', path }, known.status, underway);
    const body = JSON.stringify(known.toHttp());
    const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
    socket.end(`HTTP/1.1 ${known.status} Refused\r\n${headers}\r\n\r\n${body}`);
  } finally {
    underway.patience.end();
  }
}

/** Without a key, a form of another site must not pass for a client of dev: a browser asks before it sends JSON. */
function requireJson(method: string, { headers }: IncomingMessage): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  if (!hasBody || isJson || method === 'GET' || method === 'HEAD') return;
  throw new ToolkitError('UNSUPPORTED_MEDIA_TYPE', 'The body of this request is not declared as JSON.', {
    hint: 'Send the header "Content-Type: application/json".',
  });
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
  return new ToolkitError('INTERNAL', 'The dev server failed to answer this request.', {
    hint: 'The terminal of `toolkit dev` says more.',
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
