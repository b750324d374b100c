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
    if (busy) return;
    busy = true;
    const now = wallClock();
    try {
      // A process that was frozen has not read what its workers sent in that time.
      if (now - last > WORKER_LIMITS.pingInterval) await jobs.grantLeases();
      last = now;
      await jobs.expire(now);
    } catch (error) {
      log.error({ err: error }, 'watching jobs failed');
    } finally {
      busy = false;
    }
  };
  const ticking = setInterval(() => void tick(), TICK_MS);
  return () => clearInterval(ticking);
}
