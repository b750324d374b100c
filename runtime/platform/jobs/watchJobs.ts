/** Handles at intervals what is due for jobs. */
import type { Log } from '../log.ts';
import type { Jobs } from './jobs.ts';

const TICK_MS = 500;

/** Starts watching. The returned function stops it. */
export function watchJobs(jobs: Jobs, log: Log): () => void {
  let busy = false;
  const tick = async () => {
    if (busy) return;
    busy = true;
    try {
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
