/** Queues the long work of all projects and runs it a few milliseconds at a time, so that no request waits long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Steps, takeTurns } from '../../runtime/source/steps.ts';

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs work after all work queued before it. `signal` stops it between two steps. */
  run(steps: () => Steps, signal: AbortSignal): Promise<void> {
    const ran = this.#last.then(async () => {
      await nextTurn();
      if (!signal.aborted) await takeTurns(steps(), signal);
    });
    const ended = ran.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    this.#last = ended.catch(() => {});
    return ended;
  }
}
