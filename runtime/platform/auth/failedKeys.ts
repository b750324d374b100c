/**
 * Counts wrong keys. After ten in a minute, further wrong keys are rate-limited. Requests with a valid key
 * never get here.
 */
import { PLATFORM_LIMITS } from '../../contract/limits.ts';

const MINUTE = 60_000;

export class FailedKeys {
  /** Monotonic times of the last failures. */
  #failures: number[] = [];

  /** Counts a wrong key. Returns the seconds to wait, 0 below the limit. */
  note(now = performance.now()): number {
    this.#failures = this.#failures.filter((at) => now - at < MINUTE);
    if (this.#failures.length >= PLATFORM_LIMITS.failedKeysPerMinute) {
      return Math.max(1, Math.ceil((MINUTE - (now - this.#failures[0]!)) / 1000));
    }
    this.#failures.push(now);
    return 0;
  }
}
