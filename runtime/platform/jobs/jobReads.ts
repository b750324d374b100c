/** Reads jobs for clients: how one stands now, how it ends, and what it yields meanwhile. */
import type { JobRow } from '../store/rows.ts';
import type { EndpointQueue } from './endpointQueue.ts';
import type { JobStore } from './jobStore.ts';

/** Told a job's end, or null for a chunk and for a job that is gone with its endpoint. */
type Listener = (ended: JobRow | null) => void;

export class JobReads {
  readonly #store: JobStore;
  readonly #queue: (endpointId: string) => EndpointQueue;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Jobs whose end is being written: in no queue any more, and not ended on disk yet. */
  readonly #ending = new Set<string>();

  constructor(store: JobStore, queue: (endpointId: string) => EndpointQueue) {
    this.#store = store;
    this.#queue = queue;
  }

  /** The job as it is now; null when the endpoint has none of that id. */
  async find(endpointId: string, id: string): Promise<JobRow | null> {
    const live = this.#queue(endpointId).find(id);
    if (live) return { ...live, finished: null, output: null, error: null };
    return this.#store.find(id, endpointId);
  }

  /** Resolves with the job when it ends, or with its current state after `wait` milliseconds. */
  async wait(endpointId: string, id: string, wait: number, signal: AbortSignal): Promise<JobRow | null> {
    const deadline = performance.now() + wait;
    while (this.#isLive(endpointId, id) && !signal.aborted && performance.now() < deadline) {
      const ended = await this.#next(id, deadline, signal);
      if (ended) return ended;
    }
    return this.find(endpointId, id);
  }

  /**
   * What a job yielded and nobody was told yet, with its state; waits for the first, or the end, or `wait`
   * milliseconds.
   *
   * @returns null when the endpoint has no such job.
   */
  async stream(
    endpointId: string,
    id: string,
    wait: number,
    signal: AbortSignal,
  ): Promise<{ state: JobRow['state']; chunks: string[] } | null> {
    const deadline = performance.now() + wait;
    for (;;) {
      // The state first: what is yielded before the end is then told with it.
      const job = await this.find(endpointId, id);
      if (!job || signal.aborted) return null;
      const isLive = this.#isLive(endpointId, id);
      const enough = new AbortController();
      const news = this.#next(id, deadline, AbortSignal.any([signal, enough.signal]));
      const chunks = await this.#store.drainChunks(id);
      if (chunks.length > 0 || !isLive || performance.now() >= deadline) {
        enough.abort();
        return { state: job.state, chunks };
      }
      await news;
    }
  }

  /** Tells those that wait for a job of its end, or of any other news with null. */
  tell(id: string, ended: JobRow | null): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(ended);
  }

  /** Writes a job's end; meanwhile it counts as live. */
  async whileEnding<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    this.#ending.add(id);
    try {
      return await write();
    } finally {
      this.#ending.delete(id);
    }
  }

  #isLive(endpointId: string, id: string): boolean {
    return this.#ending.has(id) || this.#queue(endpointId).find(id) !== null;
  }

  /** A job's next news, at the latest at the deadline (monotonic milliseconds). */
  #next(id: string, deadline: number, signal: AbortSignal): Promise<JobRow | null> {
    return new Promise((resolve) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners);
      const settle = (ended: JobRow | null) => {
        clearTimeout(timer);
        listeners.delete(settle);
        if (listeners.size === 0) this.#listeners.delete(id);
        signal.removeEventListener('abort', stop);
        resolve(ended);
      };
      const stop = () => settle(null);
      const timer = setTimeout(stop, Math.max(0, deadline - performance.now()));
      signal.addEventListener('abort', stop, { once: true });
      listeners.add(settle);
    });
  }
}
