/** Composes the live side of dev: the watched project and its endpoints on the platform. */
import { ToolkitError } from '../contract/errors.ts';
import { LIVE_PREFIX } from '../contract/names.ts';
import type { ReportProgress } from '../contract/progress.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import type { DevProject } from './DevProject.ts';
import type { DevRun } from './DevRun.ts';
import { Heartbeat } from './Heartbeat.ts';
import { LiveEndpoints } from './LiveEndpoints.ts';
import { Reloads } from './Reloads.ts';
import type { AutoProvision } from './resources/AutoProvision.ts';
import { watchProject } from './watchProject.ts';

interface LiveOptions {
  root: string;
  project: DevProject;
  client: PlatformClient;
  /** Whether saves are applied. */
  reload: boolean;
  /** Null to provision each endpoint at its first call. */
  auto: AutoProvision | null;
  report: ReportProgress;
}

/** The live endpoints and what updates them. */
export interface Live {
  endpoints: LiveEndpoints;
  reloads: Reloads;
  /** Applies the saves since startup, and all later ones. */
  takeSaves: () => void;
}

/** Reads and watches the project, and begins the run on the platform. Both stop when the run ends. */
export async function startLive(run: DevRun, options: LiveOptions): Promise<Live> {
  const { client, auto } = options;
  const { endpoints, reloads } = liveEndpoints(run, options);
  run.onStop(async () => endpoints.close());
  const heartbeat = new Heartbeat({
    client,
    run: run.place,
    serving: () => endpoints.all.flatMap(({ address }) => address?.id ?? []),
    wanted: async (name) => {
      const provisioned = endpoints.find(name).provision();
      provisioned.catch(() => reloads.report());
      await provisioned;
    },
    lost: (ids) => forget(run, endpoints, ids),
    failed: (error) => run.fail(error),
  });
  await heartbeat.start(run.signal);
  run.onStop(async () => {
    await heartbeat.stop();
    const removed = await client.releaseRun(run.place.id, null, AbortSignal.timeout(20_000));
    auto?.forget();
    run.emit({ event: 'stopped', removed });
  });
  const { watching, takeSaves } = watchSaves(run, options, reloads);
  await reloads.start();
  await auto?.provision(endpoints, run.place);
  run.signal.throwIfAborted();
  await watching;
  return { endpoints, reloads, takeSaves };
}

function liveEndpoints(run: DevRun, { project, client, auto, report }: LiveOptions) {
  const { signal } = run;
  const endpoints = new LiveEndpoints({
    client,
    run: run.place,
    report,
    signal,
    provisioned: (name, hardware, milliseconds) => {
      const endpoint = LIVE_PREFIX + name;
      run.emit({ event: 'provisioned', endpoint, hardware, milliseconds, reused: false });
    },
    switched: () => auto?.record(endpoints, run.place),
    recovered: (name) => reloads.report({ recovered: [name] }),
  });
  const reloads: Reloads = new Reloads({
    project,
    live: endpoints,
    emit: (event) => run.emit(event),
    changed: () => run.feed.changed(),
    failed: (error) => run.fail(error),
    warn: (message) => run.warn(message),
    signal,
  });
  return { endpoints, reloads };
}

/** Watches the project. Saves are held back until dev is ready. */
function watchSaves(run: DevRun, { root, reload }: LiveOptions, reloads: Reloads) {
  const ready = Promise.withResolvers<void>();
  const watching = reload
    ? watchProject(
        root,
        (places, overtaken) => ready.promise.then(() => reloads.take(places, overtaken)),
        (message) => run.warn(message),
      )
    : Promise.resolve(async () => {});
  run.onStop(async () => {
    ready.resolve();
    await (await watching)();
  });
  return { watching, takeSaves: () => ready.resolve() };
}

function forget(run: DevRun, endpoints: LiveEndpoints, ids: readonly string[]): void {
  for (const name of endpoints.forget(ids)) {
    const message = `"${LIVE_PREFIX}${name}" no longer exists on the platform.`;
    const hint = 'The next call provisions it again.';
    run.fail(new ToolkitError('ENDPOINT_NOT_FOUND', message, { hint }));
  }
}
