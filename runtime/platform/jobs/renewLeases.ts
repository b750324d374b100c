/**
 * Renews the leases of the jobs that a worker reports. Replaces a worker that does not stop a job after it
 * was asked to.
 */
import type { PlatformEvents } from '../events.ts';
import type { Log } from '../log.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import type { Jobs } from './jobs.ts';
import type { StopRequests } from './stopRequests.ts';

export interface LeaseContext {
  jobs: Jobs;
  workers: Workers;
  stops: StopRequests;
  events: PlatformEvents;
  log: Log;
}

/** Renews leases from now on, whenever a worker reports its jobs. */
export function watchLeases(context: LeaseContext): void {
  context.events.on('workerHolds', (worker, held) => {
    renewLeases(context, worker, held).catch((error: unknown) =>
      context.log.error({ err: error, worker: worker.id }, 'the leases of a worker were not renewed'),
    );
  });
}

/** @param held Null if the worker's supervisor does not know, because the worker takes jobs by itself. */
export async function renewLeases(
  { jobs, workers, stops, log }: Omit<LeaseContext, 'events'>,
  worker: Worker,
  held: string[] | null,
): Promise<void> {
  if (held) await jobs.renew(worker.target.id, worker.id, held);
  if (!stops.isOverdue(worker.id, held)) return;
  worker.reason = 'The worker did not stop a job that it was asked to stop.';
  log.warn({ worker: worker.id, endpoint: worker.target.id }, 'replacing a blocked worker');
  workers.stop(worker, 0).catch((error: unknown) => log.error({ err: error }, 'a worker did not stop'));
}
