/** Gives memory back once the event loop has nothing to do: V8 keeps what a burst of requests took until there is another one. */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 1_000;
/** The share of its time below which it has nothing to do. */
const QUIET = 0.05;

/** Collects garbage in the first quiet second after busy ones. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  let before = performance.eventLoopUtilization();
  let wasBusy = true;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, before).utilization > QUIET;
    before = now;
    // Only a context made after the flag has the function.
    if (wasBusy && !isBusy) runInNewContext("gc({ type: 'major', flavor: 'last-resort' })");
    wasBusy = isBusy;
  };
  setInterval(look, LOOK_MS).unref();
}
