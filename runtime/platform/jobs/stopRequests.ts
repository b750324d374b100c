/** Which jobs a worker must stop, held until its long poll asks. */
export class StopRequests {
  readonly #pending = new Map<string, Set<string>>();
  readonly #polls = new Map<string, () => void>();

  add(workerId: string, jobId: string): void {
    const jobs = this.#pending.get(workerId) ?? new Set();
    this.#pending.set(workerId, jobs.add(jobId));
    this.#polls.get(workerId)?.();
  }

  /** The jobs to stop, at once or as soon as there are some; none after `wait` milliseconds. */
  async poll(workerId: string, wait: number, signal: AbortSignal): Promise<string[]> {
    if (!this.#pending.has(workerId)) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          if (this.#polls.get(workerId) === wake) this.#polls.delete(workerId);
          resolve();
        };
        const timer = setTimeout(wake, wait);
        this.#polls.get(workerId)?.();
        this.#polls.set(workerId, wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
    if (signal.aborted) return [];
    const jobs = [...(this.#pending.get(workerId) ?? [])];
    this.#pending.delete(workerId);
    return jobs;
  }

  forget(workerId: string): void {
    this.#pending.delete(workerId);
    this.#polls.get(workerId)?.();
  }
}
