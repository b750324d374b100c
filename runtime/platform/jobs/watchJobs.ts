/** Watches jobs over time: leases, execution timeouts, times to live, and the retention of results. */
import { wallClock } from '../clock.ts';
import type { Endpoints } from '../endpoints.ts';
import type { Log } from '../log.ts';
import type { JobStore } from './jobStore.ts';
import type { Jobs } from './jobs.ts';

const TICK_MS = 500;
const FORGET_EVERY_MS = 60_000;
/** The worker enforces the execution timeout; the platform steps in for one that does not. */
const TIMEOUT_GRACE_MS = 2_000;

/** Starts watching; the returned function ends it. */
export function watchJobs(jobs: Jobs, endpoints: Endpoints, store: JobStore, log: Log): () => void {
  let busy = false;
  const tick = async () => {
    if (busy) return;
    busy = true;
    try {
      for (const id of jobs.endpointIds()) await watchEndpoint(jobs, endpoints, id);
    } catch (error) {
      log.error({ err: error }, 'watching jobs failed');
    } finally {
      busy = false;
    }
  };
  const forget = () => {
    store
      .forget(wallClock())
      .catch((error: unknown) => log.error({ err: error }, 'old results were not removed'));
  };
  forget();
  const ticking = setInterval(() => void tick(), TICK_MS);
  const forgetting = setInterval(forget, FORGET_EVERY_MS);
  return () => {
    clearInterval(ticking);
    clearInterval(forgetting);
  };
}

async function watchEndpoint(jobs: Jobs, endpoints: Endpoints, id: string): Promise<void> {
  const queue = jobs.queue(id);
  const now = performance.now();
  const spec = endpoints.get(id)?.spec;
  for (const job of queue.inProgress.values()) {
    const limit = job.execution_timeout ?? (spec ? spec.executionTimeout * 1000 : null);
    if (limit !== null && now - job.takenAt > limit + TIMEOUT_GRACE_MS) {
      await jobs.end(job, 'FAILED', 'executionTimeout exceeded');
    }
  }
  await jobs.lose(id, (job) => job.leaseUntil < now);
  for (const job of queue.queued()) {
    if (job.retries === 0 && job.expiresAt < now) await jobs.end(job, 'TIMED_OUT', 'ttl exceeded');
  }
}
