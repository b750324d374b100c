/** Handles at intervals what is due for jobs. */
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { wallClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Jobs } from './jobs.ts';

const TICK_MS = 500;

/** Starts watching. The returned function stops it. */
export function watchJobs(jobs: Jobs, log: Log): () => void {
  let busy = false;
  let last = wallClock();
  const tick = async () => {
    // A process that was frozen has not read what its workers sent in that time.
    const hasHeard = wallClock() - last < WORKER_LIMITS.pingInterval;
    last = wallClock();
    if (busy) return;
    busy = true;
    try {
      if (!hasHeard) await jobs.grantLeases();
      await jobs.expire();
    } catch (error) {
      log.error({ err: error }, 'watching jobs failed');
    } finally {
      busy = false;
    }
  };
  const ticking = setInterval(() => void tick(), TICK_MS);
  return () => clearInterval(ticking);
}
