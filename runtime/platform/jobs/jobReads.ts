/** Reads jobs for clients: the current state, the end, and the chunks that a job yields. */
import type { JsonText } from '../json/jsonText.ts';
import { JobNews } from './jobNews.ts';
import type { Job, JobStore } from './jobStore.ts';

/** How long a client waits, in milliseconds. The signal aborts when it disconnects. */
export interface Patience {
  wait: number;
  signal: AbortSignal;
}

export class JobReads {
  readonly #store: JobStore;
  /** By job, the news for each waiting client. */
  readonly #news = new Map<string, Set<JobNews>>();

  constructor(store: JobStore) {
    this.#store = store;
  }

  /** The job's current state; null if the endpoint has no job with this id. */
  find(endpointId: string, id: string): Promise<Job | null> {
    return this.#store.find(endpointId, id);
  }

  /** Resolves with the job when it ends, or with its current state when the wait ends. */
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
   * Submits a job and waits for its end.
   *
   * @returns Null if it did not end in time, or its endpoint was removed.
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
   * The chunks that a job has yielded since the last call, and its state. Waits for the first chunk or the
   * job's end.
   *
   * @returns null if the endpoint has no such job.
   */
  stream(
    endpointId: string,
    id: string,
    { wait, signal }: Patience,
  ): Promise<{ state: Job['state']; chunks: JsonText[] } | null> {
    const deadline = performance.now() + wait;
    return this.#listening(endpointId, id, async (news) => {
      for (;;) {
        // Read the state first, so that chunks from before the end are returned with it.
        const job = await this.find(endpointId, id);
        if (!job || signal.aborted) return null;
        const chunks = await this.#store.drainChunks(id);
        if (chunks.length > 0 || job.finished !== null || performance.now() >= deadline)
          return { state: job.state, chunks };
        await news.next(deadline, signal);
      }
    });
  }

  /** Notifies clients that wait for a job. `ended` is null for any other news. */
  notify(id: string, ended: Job | null): void {
    for (const news of this.#news.get(id) ?? []) news.notify(ended);
  }

  /** An endpoint was removed with its jobs. Ends all waits for them. */
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
