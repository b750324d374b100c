/**
 * Limits the size of the platform's folder. Removes old logs, and parts that no endpoint and no recent build
 * refers to.
 */
import type { PartRef } from '../../contract/deployment.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import { type Endpoints, environmentKey } from '../endpoints.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { type LogsOf, removeOldLogs } from '../workers/logs.ts';
import type { Workers } from '../workers/workers.ts';
import type { PartPromises } from './partPromises.ts';
import type { Parts } from './parts.ts';
import type { Underway } from './underway.ts';

const LOGS_EVERY_MS = 10_000;
const PARTS_EVERY_MS = 60 * 60_000;
/** Number of builds per environment whose parts are kept, so that they can be restored. */
const KEPT_BUILDS = 10;

export interface MaintenanceContext {
  store: Store;
  endpoints: Endpoints;
  workers: Workers;
  parts: Parts;
  promises: PartPromises;
  underway: Underway;
  logsOf: LogsOf;
  log: Log;
}

/** Starts periodic maintenance. The returned function stops it. */
export function startMaintenance(context: MaintenanceContext): () => void {
  const every = (milliseconds: number, work: (context: MaintenanceContext) => Promise<void>) => {
    let isWorking = false;
    return setInterval(() => {
      // A node that hangs responds after the next interval, or never.
      if (isWorking) return;
      isWorking = true;
      work(context)
        .catch((error: unknown) => context.log.error({ err: error }, 'maintenance failed'))
        .finally(() => {
          isWorking = false;
        });
    }, milliseconds);
  };
  const logs = every(LOGS_EVERY_MS, removeLogs);
  const parts = every(PARTS_EVERY_MS, trimParts);
  return () => {
    clearInterval(logs);
    clearInterval(parts);
  };
}

async function removeLogs({ endpoints, workers, logsOf }: MaintenanceContext): Promise<void> {
  await Promise.all(
    endpoints
      .all()
      .map(async ({ id }) =>
        removeOldLogs(await logsOf(id), new Set(workers.of(id).map((worker) => worker.id))),
      ),
  );
}

async function trimParts(context: MaintenanceContext): Promise<void> {
  await context.parts.removeAbandoned();
  await removeUnusedParts(context);
}

/**
 * Removes parts that no endpoint, no current or upcoming deploy and no recent build refers to.
 *
 * @param among Removes only these. Without it, recently uploaded parts are kept for upcoming deploys.
 */
export async function removeUnusedParts(
  {
    store,
    endpoints,
    parts,
    promises,
    underway,
  }: Pick<MaintenanceContext, 'store' | 'endpoints' | 'parts' | 'promises' | 'underway'>,
  among: ReadonlySet<string> | null = null,
): Promise<void> {
  const used = new Set(
    [...underway.parts(), ...endpoints.all().flatMap((endpoint) => endpoint.parts)].map(
      (part) => part.content,
    ),
  );
  const builds = await store.builds.all();
  for (const ofEnvironment of Map.groupBy(builds, (build) =>
    environmentKey(build.app, build.environment),
  ).values()) {
    for (const build of ofEnvironment.slice(-KEPT_BUILDS)) {
      for (const part of JSON.parse(build.parts) as PartRef[]) used.add(part.content);
    }
  }
  const uploadedBefore = wallClock() - PLATFORM_LIMITS.uploadTicket;
  await parts.remove(({ content, stored }) =>
    used.has(content) || promises.covers(content)
      ? false
      : among
        ? among.has(content)
        : stored < uploadedBefore,
  );
}
