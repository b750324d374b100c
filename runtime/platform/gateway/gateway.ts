/**
 * The gateway in front of load-balanced endpoints. Each endpoint has a port, which it keeps across restarts,
 * and requests go to its workers.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { headWithoutOffer, isIgnoredOffer } from '../../contract/protocolOffer.ts';
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
import { isBlockedAtEnd } from './abandoned.ts';
import type { Balance, Slot } from './balance.ts';
import { Connections } from './connections.ts';
import { forward } from './forward.ts';
import { FunctionTimeout, WorkerLost, WorkerNotReached } from './forwardErrors.ts';
import { toOriginForm } from './originForm.ts';
import type { Forwarding } from './passage.ts';
import { Search } from './search.ts';
import { Upgrade } from './upgrade.ts';
import { checkHealth } from './watchHealth.ts';

/** A caller's request id is used if it is short and printable. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** Routes of queue-based endpoints only. */
const QUEUE_ROUTE =
  /^\/v2\/[^/]+\/(run|run-batch|runsync|status|status-sync|stream|cancel|retry|purge-queue)(\/|$)/;

export interface GatewayContext {
  host: string;
  /** The first port for endpoints. */
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
  /** Requests that offer another protocol, until their connections have closed. */
  readonly #upgrades = new Set<Upgrade>();
  readonly #connections: Connections;

  constructor(context: GatewayContext) {
    this.#context = context;
    this.#connections = new Connections((worker, onData) => context.workers.connect(worker, onData));
    context.events.on('workerEnded', (worker) => this.#connections.drop(worker.id));
  }

  /**
   * Opens the port of an endpoint.
   *
   * @param requested The endpoint's previous port. Another one is used only if this one is in use.
   * @returns the port.
   */
  async open(endpointId: string, requested: number | null): Promise<number> {
    const server = createServer(
      { optimizeEmptyRequests: true },
      (request, response) => void this.#serve(endpointId, request, response, null),
    );
    server.on('upgrade', (request, socket, head) => {
      if (isIgnoredOffer(request)) {
        // The server parses the request again.
        socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(request), 'latin1'), head]));
        server.emit('connection', socket);
        return;
      }
      const upgrade = new Upgrade(request, head);
      this.#upgrades.add(upgrade);
      upgrade.response.once('close', () => this.#upgrades.delete(upgrade));
      void this.#serve(endpointId, request, upgrade.response, upgrade);
    });
    server.requestTimeout = 0;
    const { host, firstPort, endpoints } = this.#context;
    const kept = new Set(endpoints.all().flatMap((endpoint) => endpoint.port ?? []));
    const port =
      (requested === null ? null : await listenOn(server, host, requested)) ??
      (await listenFrom(server, host, firstPort, kept));
    this.#servers.set(endpointId, { server, port });
    return port;
  }

  /**
   * Opens the ports of the endpoints of a former process of this platform. Records ports that have changed.
   */
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

  /**
   * Closes every WebSocket with 1001, and waits a moment for the workers to react. A client that does not react
   * is cut.
   */
  async cutUpgrades(): Promise<void> {
    await Promise.all([...this.#upgrades].map((upgrade) => upgrade.cut()));
  }

  /** Closes all ports and connections. */
  async stop(): Promise<void> {
    // Node's server does not close these.
    const cut = this.cutUpgrades();
    const closed = [...this.#servers.values()].map(
      ({ server }) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    );
    this.#servers.clear();
    this.#connections.destroy();
    await Promise.all([...closed, cut]);
  }

  async #serve(
    endpointId: string,
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade | null,
  ): Promise<void> {
    closeWithConnection(request, response);
    const requestId = requestIdOf(request);
    const leave = this.#context.balance.arrive(endpointId);
    try {
      this.#admit(endpointId, request);
      const search = new Search(this.#context.balance, endpointId, response);
      while (!(await this.#forward(search, { incoming: request, response, requestId, upgrade })));
    } catch (error) {
      this.#sendError(error, request, response, requestId);
    } finally {
      leave();
    }
  }

  /** Sends a request to a worker; false if the worker could not be reached and nothing was sent. */
  async #forward(
    search: Search,
    request: Pick<Forwarding, 'incoming' | 'response' | 'requestId' | 'upgrade'>,
  ): Promise<boolean> {
    const { response, upgrade } = request;
    const slot = await this.#takeSlot(search, response);
    if (!slot) return true;
    const { worker } = slot;
    let mayRun = false;
    const blocked = () => this.#replace(worker);
    const abandoned = () => (mayRun = true);
    slot.cut = () => (upgrade ? upgrade.cut() : response.destroy());
    try {
      await forward({ ...request, slot, blocked, abandoned }, this.#connections);
      return true;
    } catch (error) {
      if (error instanceof FunctionTimeout) {
        mayRun = false;
        blocked();
      }
      // A client that retries after this response must not get a worker that is about to end.
      if (error instanceof WorkerLost) await checkHealth(this.#context.workers, worker);
      if (!(error instanceof WorkerNotReached)) throw error;
      this.#notReached(worker, error, search);
      return false;
    } finally {
      if (mayRun) void this.#leaveAtEnd(slot, response.headersSent);
      else slot.leave();
    }
  }

  /** Keeps a slot until the function of its abandoned request has ended. A response that has begun has no time limit. */
  async #leaveAtEnd(slot: Slot, hasBegun: boolean): Promise<void> {
    const { balance, workers } = this.#context;
    const leave = balance.arrive(slot.worker.target.id);
    const cut = new AbortController();
    slot.cut = () => cut.abort();
    const isBlocked = await isBlockedAtEnd(workers, slot, cut.signal);
    if (isBlocked && !hasBegun) this.#replace(slot.worker);
    slot.leave();
    leave();
  }

  /** A worker that accepts no connections gets no requests until it is healthy again. */
  #notReached(worker: Worker, { isNodesFault }: WorkerNotReached, search: Search): void {
    if (isNodesFault) return search.passOver(worker);
    worker.reason = 'The worker accepts no connections.';
    this.#context.workers.setState(worker, 'unhealthy');
  }

  /**
   * A function of the worker still runs after its timeout. The worker is replaced once its other requests
   * have ended.
   */
  #replace(worker: Worker): void {
    worker.draining = true;
    this.#context.events.emit('loadChanged', worker.target.id);
  }

  /** Runs all checks that can refuse a request before a worker gets it. */
  #admit(endpointId: string, request: IncomingMessage): DeployedEndpoint {
    this.#context.events.emit('used');
    toOriginForm(request);
    this.#context.allowedHosts.check(request);
    const principal = this.#context.authorizer.principal(request);
    const endpoint = this.#context.endpoints.get(endpointId);
    if (!endpoint)
      throw new ToolkitError('ENDPOINT_NOT_FOUND', `There is no endpoint "${endpointId}".`, {
        hint: 'Run "toolkit status" to list the deployed endpoints.',
      });
    requireInvoke(principal, endpoint);
    const { path } = targetOf(request);
    if (path === RESERVED_ROUTE && request.method !== 'GET') {
      // Clients match the prefix "not allowed", which is part of the protocol.
      throw new ToolkitError(
        'BAD_REQUEST',
        `not allowed: ${RESERVED_ROUTE} is reserved for health checks, which use GET.`,
      );
    }
    if (QUEUE_ROUTE.test(path)) {
      throw new ToolkitError(
        'BAD_REQUEST',
        `not allowed: "${endpoint.name}" is load-balanced, so it has no run, runsync or status.`,
        { hint: 'Call its routes as they are declared, without /v2/….' },
      );
    }
    if (Number(request.headers['content-length'] ?? 0) > GATEWAY_LIMITS.bodyBytes)
      throw tooLarge(GATEWAY_LIMITS.bodyBytes);
    return endpoint;
  }

  /** Null if the client has disconnected. */
  async #takeSlot(search: Search, client: ServerResponse): Promise<Slot | null> {
    const slot = await search.next();
    if (client.destroyed) {
      slot?.leave();
      return null;
    }
    if (!slot) {
      const { endpointId } = search;
      const name = this.#context.endpoints.get(endpointId)?.name ?? endpointId;
      // Clients match this text, which is part of the protocol.
      throw new ToolkitError('NO_WORKERS', 'no workers available', {
        hint: `Run "toolkit logs ${name}" to see why no worker of "${name}" is ready.`,
      });
    }
    return slot;
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
