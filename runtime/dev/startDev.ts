/** Composes dev: one run, the project, its live endpoints on the platform, and the server in front of them. */
import { tmpdir } from 'node:os';
import type { DevEvent, DevPath } from '../contract/devEvents.ts';
import { LIVE_PREFIX } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import { isAlive } from './attach/devRecords.ts';
import { DevProject } from './DevProject.ts';
import { DevRun } from './DevRun.ts';
import { type DevRoute, EVERY_PATH, pathOf } from './devRoutes.ts';
import { AutoProvision } from './resources/AutoProvision.ts';
import { ProvisionedResources } from './resources/ProvisionedResources.ts';
import { serveDev } from './serveDev.ts';
import { startLive } from './startLive.ts';

export interface DevOptions {
  root: string;
  context: { app: string; environment: string };
  toolkitHome: string;
  env: NodeJS.ProcessEnv;
  /** Connects to the platform. Starts the embedded one if needed. */
  connect: () => Promise<PlatformClient>;
  host: string;
  port: number;
  /** Whether saves are applied. */
  reload: boolean;
  /** Called with the names before all endpoints are provisioned; null to provision each at its first call. */
  autoProvision: ((names: readonly string[]) => Promise<void>) | null;
  /** Version of the toolkit. */
  version: string;
  emit: (event: DevEvent) => void;
  report: ReportProgress;
  /** Aborted to stop dev. */
  signal: AbortSignal;
  /** Called when no client has been attached for a while; null if none is needed. */
  abandoned: (() => void) | null;
}

/** A running dev server. */
export interface Dev {
  url: string;
  /** Stops it and removes its live endpoints. */
  stop(): Promise<void>;
}

/**
 * Starts dev. Leaves nothing behind if it fails.
 *
 * @throws ToolkitError for everything that a user can fix.
 */
export async function startDev(options: DevOptions): Promise<Dev> {
  const { signal } = options;
  const run = new DevRun(options);
  if (signal.aborted) run.end();
  else signal.addEventListener('abort', () => run.end(), { once: true });
  try {
    return { url: await start(run, options), stop: () => run.stop() };
  } catch (error) {
    await run.stop();
    throw error;
  }
}

/** @returns The URL of the dev server. */
async function start(run: DevRun, options: DevOptions): Promise<string> {
  const opening = openProject(run, options);
  if (options.autoProvision) await options.autoProvision((await opening).declared);
  const [project, client] = await Promise.all([opening, options.connect()]);
  const auto = options.autoProvision && autoProvision(run, client, options);
  if (auto) run.place = await auto.takeOver(run.place);
  await run.attach(project.parts);
  const live = await startLive(run, { ...options, project, client, auto });
  const { url, token } = await serveDev(run, { ...options, project, client, live });
  await run.announce(url);
  run.emit({ event: 'ready', url, token, routes: live.reloads.routes.routes.map(pathDocument) });
  live.reloads.report();
  live.takeSaves();
  return url;
}

/** Opens the project. It is closed when the run ends, even if the platform cannot be reached. */
function openProject(run: DevRun, { root, toolkitHome, env, report }: DevOptions): Promise<DevProject> {
  const { signal } = run;
  const opening = DevProject.open({ root, toolkitHome, env, workDir: tmpdir(), report, signal });
  run.onStop(() =>
    opening.then(
      (project) => project.close(),
      () => {},
    ),
  );
  return opening;
}

function autoProvision(run: DevRun, client: PlatformClient, options: DevOptions): AutoProvision {
  const { root, context, toolkitHome } = options;
  return new AutoProvision({
    client,
    resources: new ProvisionedResources(root, client.url, context, (message) => run.warn(message)),
    isAlive: (other) => isAlive(toolkitHome, other),
    reused: ({ name, address }) => {
      const { hardware } = address!;
      run.emit({
        event: 'provisioned',
        endpoint: LIVE_PREFIX + name,
        hardware,
        milliseconds: 0,
        reused: true,
      });
    },
    failed: (error) => run.fail(error),
    signal: run.signal,
  });
}

function pathDocument(route: DevRoute): DevPath {
  const { kind, description } = route;
  const method = route.path === EVERY_PATH ? 'ANY' : route.method;
  return { path: pathOf(route), method, type: kind, description };
}
