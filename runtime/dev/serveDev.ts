/** Composes the HTTP side of dev: requests to live endpoints, dev's pages, and the endpoints' logs during requests. */
import { randomBytes } from 'node:crypto';
import { LIVE_PREFIX } from '../contract/names.ts';
import { HARDWARE_HEADER } from '../contract/requestPage.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import type { DevProject } from './DevProject.ts';
import type { DevRun } from './DevRun.ts';
import { healthDocument } from './healthDocument.ts';
import { isLoopback } from './http/admit.ts';
import { createDevServer, type Forwarding } from './http/createDevServer.ts';
import { devPages } from './http/devPages.ts';
import { listen } from './http/listen.ts';
import type { Match } from './http/routeTable.ts';
import { LogTails } from './LogTails.ts';
import { RunPages } from './RunPages.ts';
import type { Live } from './startLive.ts';

interface ServeOptions {
  project: DevProject;
  client: PlatformClient;
  live: Live;
  context: { app: string; environment: string };
  host: string;
  port: number;
  /** Version of the toolkit. */
  version: string;
}

/** Where dev serves. */
interface Served {
  url: string;
  /** Required in requests; null if only this machine can connect. */
  token: string | null;
}

/**
 * Serves requests until the run ends.
 *
 * @throws ToolkitError PORT_IN_USE
 */
export async function serveDev(run: DevRun, options: ServeOptions): Promise<Served> {
  const { project, client, live, context, host, version } = options;
  const { endpoints, reloads } = live;
  const logs = new LogTails(client, endpoints, (line) => run.emit({ event: 'log', ...line }));
  run.onStop(() => logs.stop());
  const token = isLoopback(host) ? null : randomBytes(24).toString('base64url');
  const routes = () => reloads.routes;
  const server = createDevServer({
    host,
    externalHost: () => run.externalHost,
    token,
    health: () => healthDocument({ version, context, endpoints: endpoints.all, routes: routes().routes }),
    pages: devPages(
      new RunPages({ project, live: endpoints, context, version, token, routes, events: run.feed }),
    ),
    forwarding: (method, path) => forwarding(client, live, reloads.table.find(method, path)),
    forwarded: () => logs.begin(),
    answered: (request) => {
      if (request.where !== null) logs.end();
      run.emit({ event: 'request', ...request });
    },
    failed: (error) => run.fail(error),
  });
  const port = await listen(server, host, options.port);
  run.onStop(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, token };
}

async function forwarding(
  client: PlatformClient,
  { endpoints, reloads }: Live,
  { route, path: own }: Match,
): Promise<Forwarding> {
  const found = endpoints.find(route.endpoint).target();
  found.catch(() => reloads.report());
  const { url, hardware, stale } = await found;
  const address = new URL(url);
  return {
    url: address,
    target: address.pathname.replace(/\/$/, '') + own,
    key: client.key.value,
    waitsForJob: route.kind === 'queue' && own === '/runsync',
    headers: { [HARDWARE_HEADER]: hardware, ...(stale && { 'x-toolkit-stale': stale.code }) },
    where: `${LIVE_PREFIX}${route.endpoint} · ${hardware}`,
  };
}
