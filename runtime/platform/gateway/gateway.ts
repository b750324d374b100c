/** The gateway before load-balanced endpoints: a port for each, kept across restarts; requests go to its workers. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ToolkitError } from '../../contract/errors.ts';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { headWithoutOffer, isProtocolOffer } from '../../contract/protocolOffer.ts';
import { REQUEST_ID_HEADER } from '../../contract/workerProtocol.ts';
import { type Authorizer, requireInvoke } from '../auth/authorize.ts';
import { type DeployedEndpoint, type Endpoints, encodeEndpoint } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { AllowedHosts } from '../http/allowedHosts.ts';
import { targetOf } from '../http/exchange.ts';
import { listenFrom, listenOn } from '../http/listen.ts';
import { closeWithConnection } from '../http/pipelined.ts';
import { tooLarge } from '../http/readBody.ts';
import { errorAnswer, sendError } from '../http/sendError.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import type { Balance, Client, Place } from './balance.ts';
import { Connections } from './connections.ts';
import { forward } from './forward.ts';
import { FunctionTimeout, WorkerLost, WorkerNotReached } from './forwardErrors.ts';
import { Search } from './search.ts';
import { passUpgrade, type Upgrade } from './upgrade.ts';
import { checkHealth } from './watchHealth.ts';

/** A caller's id is taken over when it is short and printable. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** Routes that only queue-based endpoints have. */
const QUEUE_ROUTE =
  /^\/v2\/[^/]+\/(run|run-batch|runsync|status|status-sync|stream|cancel|retry|purge-queue)(\/|$)/;

export interface GatewayContext {
  host: string;
  /** The first port that an endpoint may get. */
  firstPort: number;
  endpoints: Endpoints;
  authorizer: Authorizer;
  allowedHosts: AllowedHosts;
  workers: Workers;
  balance: Balance;
  events: PlatformEvents;
  log: Log;
}

export class Gateway {
  readonly #context: GatewayContext;
  readonly #servers = new Map<string, { server: Server; port: number }>();
  readonly #connections: Connections;

  constructor(context: GatewayContext) {
    this.#context = context;
    this.#connections = new Connections((worker, onData) => context.workers.connect(worker, onData));
    context.events.on('workerEnded', (worker) => this.#connections.drop(worker.id));
  }

  /**
   * Opens the port of an endpoint.
   *
   * @param wished The port it had; another one is taken only when somebody else has that one now.
   * @returns the port.
   */
  async open(endpointId: string, wished: number | null): Promise<number> {
    const server = createServer(
      { optimizeEmptyRequests: true },
      (request, response) => void this.#serve(endpointId, request, response),
    );
    server.on('upgrade', (request, socket, head) => {
      if (isProtocolOffer(request)) {
        // The server reads it again.
        socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(request), 'latin1'), head]));
        server.emit('connection', socket);
      } else void this.#upgrade(endpointId, request, socket, head);
    });
    server.requestTimeout = 0;
    const { host, firstPort, endpoints } = this.#context;
    const kept = new Set(endpoints.all().flatMap((endpoint) => endpoint.port ?? []));
    const port =
      (wished === null ? null : await listenOn(server, host, wished)) ??
      (await listenFrom(server, host, firstPort, kept));
    this.#servers.set(endpointId, { server, port });
    return port;
  }

  /** Opens the ports of the endpoints that a former process of this platform left, and notes where one has moved. */
  async reopen(store: Store): Promise<void> {
    for (const endpoint of this.#context.endpoints.all()) {
      const former = endpoint.port;
      if (former === null) continue;
      const port = await this.open(endpoint.id, former);
      if (port === former) continue;
      const { id, name } = endpoint;
      this.#context.log.warn({ endpoint: id, name, former, port }, 'port was taken');
      endpoint.port = port;
      await store.deployed.putEndpoint(encodeEndpoint(endpoint));
    }
  }

  close(endpointId: string): void {
    const open = this.#servers.get(endpointId);
    this.#servers.delete(endpointId);
    open?.server.close();
    open?.server.closeIdleConnections();
  }

  /** Closes all ports and connections. */
  async stop(): Promise<void> {
    const closed = [...this.#servers.values()].map(
      ({ server }) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    );
    this.#servers.clear();
    this.#connections.destroy();
    await Promise.all(closed);
  }

  async #serve(endpointId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    closeWithConnection(request, response);
    const requestId = requestIdOf(request);
    const leave = this.#context.balance.arrive(endpointId);
    try {
      this.#admit(endpointId, request);
      const search = new Search(this.#context.balance, endpointId, response);
      while (!(await this.#forward(search, request, response, requestId)));
    } catch (error) {
      this.#sendError(error, request, response, requestId);
    } finally {
      leave();
    }
  }

  /** Sends a request to a worker; false when that one was gone and nothing was sent. */
  async #forward(
    search: Search,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<boolean> {
    const place = await this.#place(search, response);
    if (!place) return true;
    const { worker } = place;
    const blocked = () => this.#replace(worker);
    place.cut = () => response.destroy();
    try {
      await forward({ incoming: request, response, worker, requestId, blocked }, this.#connections);
      return true;
    } catch (error) {
      if (error instanceof FunctionTimeout) blocked();
      // Whoever asks again once this one is answered must not meet a worker that is about to end.
      if (error instanceof WorkerLost) await checkHealth(this.#context.workers, worker);
      if (!(error instanceof WorkerNotReached)) throw error;
      this.#notReached(worker, error, search);
      return false;
    } finally {
      place.leave();
    }
  }

  async #upgrade(endpointId: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const leave = this.#context.balance.arrive(endpointId);
    // An error is followed by the end of the connection, which is watched.
    socket.on('error', () => {});
    try {
      this.#admit(endpointId, request);
      const upgrade = { incoming: request, client: socket, head, requestId: requestIdOf(request) };
      const search = new Search(this.#context.balance, endpointId, socket);
      while (!(await this.#passUpgrade(search, upgrade)));
    } catch (error) {
      const { status, body } = errorAnswer(error, this.#context.log);
      const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
      socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n${body}`);
    } finally {
      leave();
    }
  }

  /** As `#forward`. */
  async #passUpgrade(search: Search, upgrade: Omit<Upgrade, 'place' | 'connect'>): Promise<boolean> {
    const place = await this.#place(search, upgrade.client);
    if (!place) return true;
    try {
      const connect = () => this.#context.workers.connect(place.worker);
      await passUpgrade({ ...upgrade, place, connect });
      return true;
    } catch (error) {
      if (!(error instanceof WorkerNotReached)) throw error;
      this.#notReached(place.worker, error, search);
      return false;
    } finally {
      place.leave();
    }
  }

  /** A worker that accepts no connections gets no request until its health is seen again. */
  #notReached(worker: Worker, { isNodesFault }: WorkerNotReached, search: Search): void {
    if (isNodesFault) return search.passOver(worker);
    worker.reason = 'The worker accepts no connections.';
    this.#context.workers.setState(worker, 'unhealthy');
  }

  /** A worker goes on with a function that is over its time: it is replaced once its other requests have ended. */
  #replace(worker: Worker): void {
    worker.draining = true;
    this.#context.events.emit('loadChanged', worker.target.id);
  }

  /** Everything that refuses a request before a worker sees it. */
  #admit(endpointId: string, request: IncomingMessage): DeployedEndpoint {
    this.#context.events.emit('used');
    this.#context.allowedHosts.check(request.headers);
    const principal = this.#context.authorizer.principal(request);
    const endpoint = this.#context.endpoints.get(endpointId);
    if (!endpoint) throw new ToolkitError('ENDPOINT_NOT_FOUND', 'This endpoint is not deployed.');
    requireInvoke(principal, endpoint);
    const { path } = targetOf(request);
    if (path === RESERVED_ROUTE && request.method !== 'GET') {
      throw new ToolkitError(
        'BAD_REQUEST',
        `not allowed: ${RESERVED_ROUTE} is reserved for the workers' health.`,
      );
    }
    if (QUEUE_ROUTE.test(path)) {
      throw new ToolkitError('BAD_REQUEST', `not allowed: "${endpoint.name}" is a load-balanced endpoint.`, {
        hint: 'Call its routes as they are declared, without /v2/….',
      });
    }
    if (Number(request.headers['content-length'] ?? 0) > GATEWAY_LIMITS.bodyBytes)
      throw tooLarge(GATEWAY_LIMITS.bodyBytes);
    return endpoint;
  }

  /** Null when the client has gone. */
  async #place(search: Search, client: Client): Promise<Place | null> {
    const place = await search.next();
    if (client.destroyed) {
      place?.leave();
      return null;
    }
    if (!place) {
      throw new ToolkitError('NO_WORKERS', 'no workers available', {
        hint: "The endpoint's logs say why none is ready.",
      });
    }
    return place;
  }

  #sendError(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    const { status, headers, body } = errorAnswer(error, this.#context.log);
    sendError(request, response, { status, headers: { ...headers, [REQUEST_ID_HEADER]: requestId }, body });
  }
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
