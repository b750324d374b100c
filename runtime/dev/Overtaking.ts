/**
 * When a newer version of an endpoint ends the rollout in progress: at once, because that code may never finish loading;
 * later if newer versions come so quickly that none of them would ever load.
 */

/** After this many replaced rollouts in a row, a program is assumed to write the files. The next rollout may take longer. */
const REPLACED_IN_A_ROW = 10;
/** In milliseconds. How long such a rollout may continue. */
const LONGEST_MS = 60_000;

export class Overtaking {
  #rollout: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;
  #replaced = 0;

  /** Call when a rollout begins. Returns a signal that is aborted when it must end. */
  begin(): AbortSignal {
    this.#rollout = new AbortController();
    return this.#rollout.signal;
  }

  /** Call when a newer version is waiting. */
  overtake(): void {
    if (!this.#rollout || this.#timer) return;
    if (this.#replaced < REPLACED_IN_A_ROW) return this.end();
    this.#timer = setTimeout(() => this.end(), LONGEST_MS).unref();
  }

  /** Ends the rollout in progress. */
  end(): void {
    this.#rollout?.abort();
  }

  /** Call when the rollout has ended. */
  ended(): void {
    this.#replaced = this.#rollout?.signal.aborted ? this.#replaced + 1 : 0;
    this.#rollout = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
