/** Counts wrong keys: after ten in a minute wrong ones are slowed down; a right key is never asked here. */
import { PLATFORM_LIMITS } from '../../contract/limits.ts';

const MINUTE = 60_000;

export class FailedKeys {
  /** Monotonic instants of the last failures. */
  #failures: number[] = [];

  /** Notes a wrong key and tells the seconds to wait, 0 while there is nothing to slow down. */
  note(now = performance.now()): number {
    this.#failures = this.#failures.filter((at) => now - at < MINUTE);
    if (this.#failures.length >= PLATFORM_LIMITS.failedKeysPerMinute) {
      return Math.max(1, Math.ceil((MINUTE - (now - this.#failures[0]!)) / 1000));
    }
    this.#failures.push(now);
    return 0;
  }
}
