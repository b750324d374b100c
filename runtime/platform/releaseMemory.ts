/**
 * Releases a thread's memory when its event loop is idle. V8 would otherwise keep the memory of a burst until
 * the next one.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 1_000;
/** Utilization below which the event loop counts as idle. */
const QUIET = 0.05;
/**
 * Number of idle checks in a row before collecting, so that an intermittent load does not cause a collection
 * each time.
 */
const QUIET_LOOKS = 5;

/** Collects garbage when a busy period is followed by some idle seconds. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  let before = performance.eventLoopUtilization();
  let quiet = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, before).utilization > QUIET;
    before = now;
    quiet = isBusy ? 0 : quiet + 1;
    // Only a context that is created after setting the flag has this function.
    if (quiet === QUIET_LOOKS) runInNewContext("gc({ type: 'major', flavor: 'last-resort' })");
  };
  setInterval(look, LOOK_MS).unref();
}
