/**
 * Long work in small steps. Between two steps, the caller can do something else, or stop. A command runs all
 * steps at once, the editor a few at a time. A step that has to wait for something to load yields a promise.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Steps<Result = void> = Generator<Promise<unknown> | void, Result, void>;

/** How long work occupies the event loop at a time, in milliseconds. */
const TURN = 4;

/** Runs all steps of work that never waits. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps; `between` is called after each and may throw to stop. */
export async function finishSteps<Result>(
  steps: Steps<Result>,
  between: () => void = () => {},
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value) await step.value;
    between();
  }
}

/**
 * Runs all steps, a few milliseconds at a time, and lets other work run in between; the first ones run at once.
 *
 * @throws The signal's reason once it is aborted.
 */
export async function takeTurns<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    const ends = performance.now() + TURN;
    do {
      signal.throwIfAborted();
      const step = steps.next();
      if (step.done) return step.value;
      if (step.value) await step.value;
    } while (performance.now() < ends);
    // A message is handled in the turn after the one that reads it.
    await nextTurn();
    await nextTurn();
  }
}
