/**
 * The news of a job for one waiting client. No news is lost between reading the job and waiting for its news.
 */
import type { Job } from './jobStore.ts';

export class JobNews {
  readonly endpoint: string;
  /** Whether its endpoint was removed, with the job. */
  isGone = false;
  #heard = false;
  #ended: Job | null = null;
  #wake: () => void = () => {};

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /** @param ended - The ended job; null for any other news. */
  notify(ended: Job | null): void {
    this.#heard = true;
    this.#ended ??= ended;
    this.#wake();
  }

  /** The job's endpoint was removed. */
  drop(): void {
    this.isGone = true;
    this.notify(null);
  }

  /**
   * Waits for news. Resolves with the ended job, or with null for other news or at the deadline.
   *
   * @param deadline - Monotonic milliseconds.
   */
  async next(deadline: number, signal: AbortSignal): Promise<Job | null> {
    if (!this.#heard && !signal.aborted) await this.#change(deadline - performance.now(), signal);
    this.#heard = false;
    return this.#ended;
  }

  #change(wait: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const timer = setTimeout(settle, Math.max(0, wait));
      signal.addEventListener('abort', settle, { once: true });
      this.#wake = settle;
    });
  }
}
