/** Gives a thread's memory back once its event loop has nothing to do: V8 otherwise keeps that of a burst until the next. */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 1_000;
/** The share of its time below which it has nothing to do. */
const QUIET = 0.05;
/** So many quiet looks in a row: a load that comes and goes is not collected after each time. */
const QUIET_LOOKS = 5;

/** Collects garbage once some seconds have been quiet after a busy one. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  let before = performance.eventLoopUtilization();
  let quiet = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, before).utilization > QUIET;
    before = now;
    quiet = isBusy ? 0 : quiet + 1;
    // Only a context made after the flag has the function.
    if (quiet === QUIET_LOOKS) runInNewContext("gc({ type: 'major', flavor: 'last-resort' })");
  };
  setInterval(look, LOOK_MS).unref();
}
