/** The platform's main port: client API, worker protocol, GraphQL and uploads. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { PLATFORM_LIMITS } from '../contract/limits.ts';
import { GRAPHQL_PATH, type PlatformIdentity } from '../contract/stateManager.ts';
import type { Authorizer } from './auth/authorize.ts';
import type { PlatformEvents } from './events.ts';
import type { AllowedHosts } from './http/allowedHosts.ts';
import { Exchange } from './http/exchange.ts';
import { goneSignal } from './http/goneSignal.ts';
import { closeWithConnection } from './http/pipelined.ts';
import { readBody } from './http/readBody.ts';
import { Routes } from './http/routes.ts';
import { errorAnswer, sendError } from './http/sendError.ts';
import { addClientRoutes, type ClientRoutesContext } from './jobs/clientRoutes.ts';
import type { WorkerRoutesContext } from './jobs/workerRequest.ts';
import { addWorkerRoutes } from './jobs/workerRoutes.ts';
import type { Log } from './log.ts';
import type { StateManager } from './stateManager/resolvers.ts';
import type { GraphqlHandler } from './stateManager/serveGraphql.ts';
import type { Uploads } from './stateManager/uploads.ts';

export interface ServerContext {
  identity: PlatformIdentity;
  authorizer: Authorizer;
  allowedHosts: AllowedHosts;
  client: ClientRoutesContext;
  worker: WorkerRoutesContext;
  uploads: Uploads;
  state: StateManager;
  events: PlatformEvents;
  log: Log;
}

/** Attaches the platform's routes to a server that is already listening. */
export function serve(server: PlatformServer, context: ServerContext): void {
  const routes = createRoutes(context);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    closeWithConnection(request, response);
    void answerRequest(context, routes, request, response);
  };
  server.on('request', answer);
  for (const [request, response] of server.takeEarly()) answer(request, response);
}

async function answerRequest(
  { allowedHosts, log }: ServerContext,
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    allowedHosts.check(request);
    const { handler, target, parameters } = routes.find(request);
    await handler(new Exchange(request, response, target, parameters));
  } catch (error) {
    sendError(request, response, errorAnswer(error, log));
  }
}

type EarlyRequest = [IncomingMessage, ServerResponse];

/**
 * A server that listens before the platform can respond, because workers that are still running call it at
 * once.
 */
export interface PlatformServer extends Server {
  /** Returns the requests that arrived before the routes were attached, and stops holding requests. */
  takeEarly(): EarlyRequest[];
}

/** A server without a request timeout, so that long polls are possible. */
export function createPlatformServer(): PlatformServer {
  const server = createServer();
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  const early: EarlyRequest[] = [];
  const hold = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response]);
  server.on('request', hold);
  const takeEarly = () => {
    server.off('request', hold);
    return early.splice(0);
  };
  return Object.assign(server, { takeEarly });
}

function createRoutes(context: ServerContext): Routes {
  const routes = new Routes();
  addWorkerRoutes(routes, context.worker);
  addClientRoutes(routes, context.client);
  context.uploads.addRoutes(routes);
  addGraphqlRoute(routes, context);
  routes.add(['GET', 'HEAD'], '/', (http) => http.sendJson(JSON.stringify(context.identity)));
  return routes;
}

/** GraphQL is loaded at the first request. */
function addGraphqlRoute(routes: Routes, { state, events, authorizer, log }: ServerContext): void {
  let handler: Promise<GraphqlHandler> | null = null;
  routes.add(['POST'], GRAPHQL_PATH, async (http) => {
    events.emit('used');
    const principal = authorizer.principal(http.request);
    const body = await readBody(http.request, PLATFORM_LIMITS.graphqlBodyBytes);
    handler ??= import('./stateManager/serveGraphql.ts').then(({ createGraphqlHandler }) =>
      createGraphqlHandler(state, log),
    );
    http.sendJson(await (await handler)(body, { principal, gone: goneSignal(http.response) }));
  });
}
