/**
 * Tracks the jobs that a worker must stop. Sends the order, or keeps it for the worker's long poll, and
 * checks that the worker stops them.
 */
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { WorkerDriver } from '../drivers/workerDriver.ts';
import type { PlatformEvents } from '../events.ts';
import type { Workers } from '../workers/workers.ts';

export interface StopRequestsContext {
  workers: Workers;
  driver: WorkerDriver;
  events: PlatformEvents;
}

export class StopRequests {
  readonly #pending = new Map<string, Set<string>>();
  /** Worker → job → monotonic time of the request. */
  readonly #asked = new Map<string, Map<string, number>>();
  readonly #polls = new Map<string, () => void>();
  readonly #context: StopRequestsContext;

  constructor(context: StopRequestsContext) {
    this.#context = context;
    const { events } = context;
    events.on('jobStopped', (workerId, jobId) => this.#add(workerId, jobId));
    events.on('workerResumed', ({ id }) => this.#repeat(id));
    events.on('workerEnded', ({ id }) => this.#forget(id));
  }

  #add(workerId: string, jobId: string): void {
    if (!this.#context.workers.get(workerId)) return;
    const asked = this.#asked.get(workerId) ?? new Map<string, number>();
    this.#asked.set(workerId, asked.set(jobId, performance.now()));
    if (this.#order(workerId, [jobId])) return;
    const jobs = this.#pending.get(workerId) ?? new Set();
    this.#pending.set(workerId, jobs.add(jobId));
    this.#polls.get(workerId)?.();
  }

  /** Repeats orders that a worker may have missed. */
  #repeat(workerId: string): void {
    const asked = this.#asked.get(workerId);
    if (asked && asked.size > 0) this.#order(workerId, [...asked.keys()]);
  }

  /** Returns the jobs to stop as soon as there are any; none after `wait` milliseconds. */
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

  /**
   * Whether a worker still runs a job that it was asked to stop longer ago than the grace period.
   *
   * @param running The jobs that the worker reports; all others have stopped. Null if it does not report
   * them.
   */
  isOverdue(workerId: string, running: string[] | null): boolean {
    const asked = this.#asked.get(workerId);
    if (!asked) return false;
    if (running) for (const job of asked.keys()) if (!running.includes(job)) asked.delete(job);
    if (asked.size === 0) this.#asked.delete(workerId);
    const latest = performance.now() - WORKER_LIMITS.stopGrace;
    return [...asked.values()].some((since) => since < latest);
  }

  /** A worker has posted a job's end. */
  hasStopped(workerId: string, jobId: string): void {
    this.#asked.get(workerId)?.delete(jobId);
  }

  /** A worker holds no jobs. */
  hasStoppedAll(workerId: string): void {
    this.#asked.delete(workerId);
  }

  #forget(workerId: string): void {
    this.#pending.delete(workerId);
    this.#asked.delete(workerId);
    this.#polls.get(workerId)?.();
  }

  /** Sends the order to stop jobs; false for a command, because third-party workers poll for it. */
  #order(workerId: string, jobIds: string[]): boolean {
    const { workers, driver } = this.#context;
    if (workers.get(workerId)?.target.spec.command !== null) return false;
    driver.stopJobs(workerId, jobIds);
    return true;
  }
}
