/** Composes dev: the project that is watched, its live endpoints on the platform, and the server before them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { DevEvent, DevPath } from '../contract/devEvents.ts';
import { ToolkitError } from '../contract/errors.ts';
import type { LiveRunPlace } from '../contract/liveRun.ts';
import { LIVE_PREFIX } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import { HARDWARE_HEADER } from '../contract/requestPage.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import { Attachment } from './attach/Attachment.ts';
import { DevProject } from './DevProject.ts';
import { type DevRoutes, EVERY_PATH, pathOf } from './devRoutes.ts';
import { EventFeed } from './EventFeed.ts';
import { Heartbeat } from './Heartbeat.ts';
import { healthDocument } from './healthDocument.ts';
import { isLoopback } from './http/admit.ts';
import { createDevServer, type Forwarding } from './http/createDevServer.ts';
import { devPages } from './http/devPages.ts';
import { listen } from './http/listen.ts';
import type { Match } from './http/routeTable.ts';
import { LiveEndpoints } from './LiveEndpoints.ts';
import { LogTails } from './LogTails.ts';
import { Reloads } from './Reloads.ts';
import { RunPages } from './RunPages.ts';
import { AutoProvision } from './resources/AutoProvision.ts';
import { ProvisionedResources } from './resources/ProvisionedResources.ts';
import { watchProject } from './watchProject.ts';

export interface DevOptions {
  root: string;
  context: { app: string; environment: string };
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  /** Connects to the platform, starting the embedded one if need be. */
  connect: () => Promise<PlatformClient>;
  host: string;
  port: number;
  /** Whether saves are taken over. */
  reload: boolean;
  /** Asked, with the names, before all endpoints are provisioned at the start; null: at their first call. */
  autoProvision: ((names: readonly string[]) => Promise<void>) | null;
  /** Of the toolkit. */
  version: string;
  emit: (event: DevEvent) => void;
  report: ReportProgress;
  /** Raised when dev is to stop. */
  signal: AbortSignal;
  /** Called when clients were to be attached, and none is any more. */
  abandoned: (() => void) | null;
}

/** A dev server that answers. */
export interface Dev {
  url: string;
  /** Ends it and removes its live endpoints. */
  stop(): Promise<void>;
}

/**
 * Starts dev. Nothing is left behind when it fails.
 *
 * @throws ToolkitError for everything that a user can change.
 */
export async function startDev(options: DevOptions): Promise<Dev> {
  const session = new DevSession(options);
  try {
    return await session.start();
  } catch (error) {
    await session.stop();
    throw error;
  }
}

class DevSession {
  readonly #options: DevOptions;
  readonly #events = new EventFeed();
  #run: LiveRunPlace;
  #attachment: Attachment | null = null;
  /** Undone at the end, the last one first. */
  readonly #opened: (() => Promise<unknown>)[] = [];
  /** Work for the platform ends when dev does. */
  readonly #ending = new AbortController();

  constructor(options: DevOptions) {
    const emit = (event: DevEvent) => {
      options.emit(event);
      this.#events.take(event);
      this.#attachment?.publish(event);
    };
    this.#options = { ...options, emit };
    this.#run = { id: randomUUID(), ...options.context };
  }

  async start(): Promise<Dev> {
    const { root, context, toolkitHome, env, report, host, port, version, emit, signal, autoProvision } =
      this.#options;
    const { signal: ending } = this.#ending;
    signal.addEventListener('abort', () => this.#end(), { once: true });
    const place = { root, toolkitHome, env, workDir: tmpdir(), report, signal: ending };
    const opening = DevProject.open(place);
    // Also when the platform cannot be reached.
    this.#opened.push(() =>
      opening.then(
        (project) => project.close(),
        () => {},
      ),
    );
    if (autoProvision) await autoProvision((await opening).declared);
    const [project, client] = await Promise.all([opening, this.#options.connect()]);
    const auto = autoProvision && this.#autoProvision(client);
    if (auto) this.#run = await auto.takeOver(this.#run);
    await this.#attach();
    const live = new LiveEndpoints({
      client,
      run: this.#run,
      report,
      signal: ending,
      provisioned: (endpoint, hardware, milliseconds) =>
        emit({
          event: 'provisioned',
          endpoint: LIVE_PREFIX + endpoint,
          hardware,
          milliseconds,
          reused: false,
        }),
      switched: () => auto?.record(live, this.#run),
      recovered: (name) => reloads.tell({ recovered: [name] }),
    });
    const reloads = new Reloads({
      project,
      live,
      emit,
      changed: () => this.#events.changed(),
      failed: (error) => this.#fail(error),
      signal: ending,
    });
    this.#opened.push(async () => live.close());
    const heartbeat = new Heartbeat({
      client,
      run: this.#run,
      serving: () => live.all.flatMap(({ address }) => address?.id ?? []),
      wanted: async (name) => this.#endpoint(live, name).provision(),
      lost: (ids) => this.#forget(live, ids),
      unreachable: (error) => this.#fail(error),
    });
    await heartbeat.start(signal);
    this.#opened.push(async () => {
      await heartbeat.stop();
      const removed = await client.releaseRun(this.#run.id, null, AbortSignal.timeout(20_000));
      auto?.forget();
      emit({ event: 'stopped', removed });
    });
    // What is saved from now on is taken over once dev is ready.
    const ready = Promise.withResolvers<void>();
    const watching = this.#watch((places) => ready.promise.then(() => reloads.take(places)));
    this.#opened.push(async () => {
      ready.resolve();
      await (await watching)();
    });
    await reloads.start();
    if (auto) await auto.provision(live, this.#run);
    signal.throwIfAborted();

    const logs = new LogTails(client, live, (line) => emit({ event: 'log', ...line }));
    this.#opened.push(() => logs.stop());
    const token = isLoopback(host) ? null : randomBytes(24).toString('base64url');
    const server = createDevServer({
      host,
      externalHost: () => this.#attachment?.externalHost ?? null,
      token,
      health: () => healthDocument({ version, context, endpoints: live.all, routes: reloads.routes.routes }),
      pages: devPages(
        new RunPages({
          project,
          live,
          context,
          version,
          token,
          routes: () => reloads.routes,
          events: this.#events,
        }),
      ),
      forwarding: (method, path) => this.#forwarding(client, live, reloads.table.find(method, path)),
      forwarded: () => logs.begin(),
      answered: (request) => {
        if (request.where !== null) logs.end();
        emit({ event: 'request', ...request });
      },
      failed: (error) => this.#fail(error),
    });
    const bound = await listen(server, host, port);
    this.#opened.push(
      () =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    );
    await watching;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    await this.#attachment?.announce(url);
    emit({ event: 'ready', url, token, routes: reloads.routes.routes.map(pathDocument) });
    reloads.tell();
    ready.resolve();
    return { url, stop: () => this.stop() };
  }

  #end(): void {
    this.#ending.abort(new ToolkitError('INTERRUPTED', 'Dev was stopped.'));
  }

  async stop(): Promise<void> {
    this.#end();
    for (const undo of this.#opened.splice(0).toReversed()) {
      try {
        await undo();
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  /** @returns Ends the watch. */
  async #watch(changed: (places: readonly string[]) => Promise<void>): Promise<() => Promise<void>> {
    const { root, reload } = this.#options;
    return reload ? await watchProject(root, changed) : async () => {};
  }

  #forget(live: LiveEndpoints, ids: readonly string[]): void {
    for (const name of live.forget(ids)) {
      const error = new ToolkitError(
        'ENDPOINT_NOT_FOUND',
        `The platform does not have "${LIVE_PREFIX}${name}" any more.`,
        {
          hint: 'The next call provisions it again.',
        },
      );
      this.#fail(error);
    }
  }

  async #forwarding(
    client: PlatformClient,
    live: LiveEndpoints,
    { route, path: own }: Match,
  ): Promise<Forwarding> {
    const { url, hardware, stale } = await this.#endpoint(live, route.endpoint).target();
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

  #autoProvision(client: PlatformClient): AutoProvision {
    const { root, context, report, emit } = this.#options;
    const warn = (message: string) => report({ type: 'warning', message });
    return new AutoProvision({
      client,
      resources: new ProvisionedResources(root, client.url, context, warn),
      reused: ({ name, address }) =>
        emit({
          event: 'provisioned',
          endpoint: LIVE_PREFIX + name,
          hardware: address!.hardware,
          milliseconds: 0,
          reused: true,
        }),
      failed: (error) => this.#fail(error),
      signal: this.#ending.signal,
    });
  }

  /** Without it dev runs as well, but nobody attaches to it. */
  async #attach(): Promise<void> {
    const { root, toolkitHome, report, abandoned } = this.#options;
    try {
      const attachment = await Attachment.open({ toolkitHome, root, run: this.#run.id, abandoned });
      this.#attachment = attachment;
      this.#opened.push(() => attachment.close());
    } catch (error) {
      const message = `Editors and \`toolkit logs\` do not find this dev: ${String(error)}`;
      report({ type: 'warning', message });
    }
  }

  #endpoint(live: LiveEndpoints, name: string) {
    const found = live.get(name);
    if (found) return found;
    throw new ToolkitError('ENDPOINT_NOT_FOUND', `No file of this project declares "${name}".`, {
      hint: 'GET / of the dev server lists what is declared.',
    });
  }

  #fail(error: unknown): void {
    const known = error instanceof ToolkitError ? error : new ToolkitError('INTERNAL', String(error));
    this.#options.emit({ event: 'error', ...known.toBody() });
  }
}

function pathDocument(route: DevRoutes['routes'][number]): DevPath {
  const { kind, description } = route;
  const method = route.path === EVERY_PATH ? 'ANY' : route.method;
  return { path: pathOf(route), method, type: kind, description };
}
