/** Reads jobs for clients: how one stands now, how it ends, and what it yields meanwhile. */
import type { JsonText } from '../json/jsonText.ts';
import { JobNews } from './jobNews.ts';
import type { Job, JobStore } from './jobStore.ts';

/** How long a client waits, milliseconds, and whether it is still there. */
export interface Patience {
  wait: number;
  signal: AbortSignal;
}

export class JobReads {
  readonly #store: JobStore;
  /** By job, what is heard of it by those who wait. */
  readonly #news = new Map<string, Set<JobNews>>();

  constructor(store: JobStore) {
    this.#store = store;
  }

  /** The job as it is now; null when the endpoint has none of that id. */
  find(endpointId: string, id: string): Promise<Job | null> {
    return this.#store.find(endpointId, id);
  }

  /** Resolves with the job when it ends, or with its current state when patience does. */
  wait(endpointId: string, id: string, { wait, signal }: Patience): Promise<Job | null> {
    const deadline = performance.now() + wait;
    return this.#listening(endpointId, id, async (news) => {
      for (;;) {
        const job = await this.find(endpointId, id);
        if (!job || job.finished !== null || signal.aborted || performance.now() >= deadline) return job;
        const ended = await news.next(deadline, signal);
        if (ended) return ended;
      }
    });
  }

  /**
   * Waits for the end of a job that is only being submitted.
   *
   * @returns Null when it did not end in time, or its endpoint was removed.
   */
  submitAndWait(
    endpointId: string,
    id: string,
    { wait, signal }: Patience,
    submit: () => Promise<void>,
  ): Promise<Job | null> {
    const deadline = performance.now() + wait;
    return this.#listening(endpointId, id, async (news) => {
      await submit();
      let ended: Job | null = null;
      while (!ended && !news.isGone && !signal.aborted && performance.now() < deadline)
        ended = await news.next(deadline, signal);
      return ended;
    });
  }

  /**
   * What a job yielded and nobody was told yet, with its state; waits for the first, or the end.
   *
   * @returns null when the endpoint has no such job.
   */
  stream(
    endpointId: string,
    id: string,
    { wait, signal }: Patience,
  ): Promise<{ state: Job['state']; chunks: JsonText[] } | null> {
    const deadline = performance.now() + wait;
    return this.#listening(endpointId, id, async (news) => {
      for (;;) {
        // The state first: what is yielded before the end is then told with it.
        const job = await this.find(endpointId, id);
        if (!job || signal.aborted) return null;
        const chunks = await this.#store.drainChunks(id);
        if (chunks.length > 0 || job.finished !== null || performance.now() >= deadline)
          return { state: job.state, chunks };
        await news.next(deadline, signal);
      }
    });
  }

  /** Tells those that wait for a job of its end, or of any other news with null. */
  tell(id: string, ended: Job | null): void {
    for (const news of this.#news.get(id) ?? []) news.tell(ended);
  }

  /** An endpoint is gone, with its jobs: nobody waits for them any more. */
  drop(endpointId: string): void {
    for (const all of this.#news.values())
      for (const news of all) if (news.endpoint === endpointId) news.drop();
  }

  async #listening<Result>(
    endpointId: string,
    id: string,
    work: (news: JobNews) => Promise<Result>,
  ): Promise<Result> {
    const news = new JobNews(endpointId);
    const all = this.#news.get(id) ?? new Set();
    this.#news.set(id, all.add(news));
    try {
      return await work(news);
    } finally {
      all.delete(news);
      if (all.size === 0) this.#news.delete(id);
    }
  }
}
