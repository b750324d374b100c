/** The platform's main port: client API and worker protocol by routes of their own, all else on a Koa app. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Router } from '@koa/router';
import Koa from 'koa';
import { ToolkitError } from '../contract/errors.ts';
import { PLATFORM_LIMITS } from '../contract/limits.ts';
import { GRAPHQL_PATH, type PlatformIdentity } from '../contract/stateManager.ts';
import type { Authorizer } from './auth/authorize.ts';
import type { PlatformEvents } from './events.ts';
import type { AllowedHosts } from './http/allowedHosts.ts';
import { Exchange } from './http/exchange.ts';
import { goneSignal } from './http/goneSignal.ts';
import { readBody } from './http/readBody.ts';
import { type Match, Routes } from './http/routes.ts';
import { sendBody } from './http/sendBody.ts';
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

/** Attaches the platform's routes to a server that listens already. */
export function serve(server: PlatformServer, context: ServerContext): void {
  const routes = createRoutes(context);
  const app = createApp(context).callback();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const found = routes.find(request);
    void (found ? answerRoute(context, found, request, response) : app(request, response));
  };
  server.on('request', answer);
  for (const [request, response] of server.takeEarly()) answer(request, response);
}

async function answerRoute(
  { allowedHosts, log }: ServerContext,
  { handler, target, parameters }: Match,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    allowedHosts.check(request.headers);
    await handler(new Exchange(request, response, target, parameters));
  } catch (error) {
    sendError(request, response, errorAnswer(error, log));
  }
}

function createApp(context: ServerContext): Koa {
  const app = new Koa();
  app.on('error', (error: unknown) => context.log.debug({ err: error }, 'a connection failed'));
  app.use(async (http, next) => {
    try {
      context.allowedHosts.check(http.headers);
      await next();
      if (http.status === 404 && !http.headerSent) {
        throw new ToolkitError('NOT_FOUND', `There is nothing at ${http.method} ${http.path}.`);
      }
    } catch (error) {
      http.respond = false;
      sendError(http.req, http.res, errorAnswer(error, context.log));
    }
  });
  app.use(createRouter(context).routes());
  return app;
}

type EarlyRequest = [IncomingMessage, ServerResponse];

/** A server that listens before the platform can answer: workers that live on call it at once. */
export interface PlatformServer extends Server {
  /** The requests that came before the routes were attached; from now on none is held. */
  takeEarly(): EarlyRequest[];
}

/** A server that waits as long as the protocol's long polls do. */
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

function createRouter(context: ServerContext): Router {
  const router = new Router();
  router.get('/', (http) => {
    sendBody(http, 200, JSON.stringify(context.identity));
  });
  mountGraphql(router, context);
  context.uploads.mount(router);
  return router;
}

function createRoutes(context: ServerContext): Routes {
  const routes = new Routes();
  addWorkerRoutes(routes, context.worker);
  addClientRoutes(routes, context.client);
  return routes;
}

/** GraphQL is loaded with the first request. */
function mountGraphql(router: Router, context: ServerContext): void {
  let handler: Promise<GraphqlHandler> | null = null;
  router.post(GRAPHQL_PATH, async (http) => {
    context.events.emit('used');
    const principal = context.authorizer.principal(http.req);
    const body = await readBody(http.req, PLATFORM_LIMITS.graphqlBodyBytes);
    handler ??= import('./stateManager/serveGraphql.ts').then(({ createGraphqlHandler }) =>
      createGraphqlHandler(context.state, context.log),
    );
    const answer = await (await handler)(body, { principal, gone: goneSignal(http.res) });
    sendBody(http, 200, answer);
  });
}
