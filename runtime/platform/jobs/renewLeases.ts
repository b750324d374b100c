/** A worker says which jobs it has in hand: their leases go on, and one that goes on with a stopped job is replaced. */
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

/** Renews the leases of workers from now on, whenever one says what it holds. */
export function watchLeases(context: LeaseContext): void {
  context.events.on('workerHolds', (worker, held) => {
    renewLeases(context, worker, held).catch((error: unknown) =>
      context.log.error({ err: error, worker: worker.id }, 'the leases of a worker were not renewed'),
    );
  });
}

/** @param held Null when the worker's supervisor does not know, because the worker takes jobs by itself. */
export async function renewLeases(
  { jobs, workers, stops, log }: Omit<LeaseContext, 'events'>,
  worker: Worker,
  held: string[] | null,
): Promise<void> {
  if (held) await jobs.renew(worker.target.id, worker.id, held);
  if (!stops.isOverdue(worker.id, held)) return;
  worker.reason = 'The worker went on with a job that it was told to stop.';
  log.warn({ worker: worker.id, endpoint: worker.target.id }, 'a blocked worker is replaced');
  workers.stop(worker, 0).catch((error: unknown) => log.error({ err: error }, 'a worker did not stop'));
}
