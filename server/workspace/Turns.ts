/**
 * Queues the long work of all projects and runs it a few milliseconds at a time, so that a request never waits long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../../runtime/source/steps.ts';

/** How long one turn occupies the event loop, milliseconds. */
const TURN = 4;

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs work after all work that was queued before; `signal` ends it between two steps. */
  run(steps: () => Steps, signal: AbortSignal): Promise<void> {
    const ran = this.#last.then(async () => {
      const work = steps();
      for (;;) {
        await nextTurn();
        const ends = performance.now() + TURN;
        do {
          if (signal.aborted || work.next().done) return;
        } while (performance.now() < ends);
      }
    });
    this.#last = ran.catch(() => {});
    return ran;
  }
}
