/** The queues of all endpoints as the store last reported them. They wake takers and feed the autoscaler. */
import type { QueueCounts } from './jobStore.ts';

export class Queue {
  #counts: Omit<QueueCounts, 'endpoint'> = EMPTY;
  /** Monotonic time at which the next job began to wait; null if none waits. */
  #nextSince: number | null = null;
  #reports = 0;

  update(counts: QueueCounts): void {
    this.#reports += 1;
    this.#counts = counts;
    this.#nextSince = counts.nextWaited === null ? null : performance.now() - counts.nextWaited;
  }

  /** How often the store has reported this queue. */
  get reports(): number {
    return this.#reports;
  }

  get waiting(): number {
    return this.#counts.waiting;
  }

  /** Bytes of the waiting inputs. */
  get waitingBytes(): number {
    return this.#counts.waitingBytes;
  }

  /** Waiting jobs for which more workers are started. */
  get pressing(): number {
    return this.#counts.waiting - this.#counts.lowPriority;
  }

  get inProgress(): number {
    return Object.values(this.#counts.held).reduce((sum, jobs) => sum + jobs, 0);
  }

  get ended(): Pick<QueueCounts, 'completed' | 'failed' | 'retried'> {
    return this.#counts;
  }

  /** Workers that hold jobs. */
  get busyWorkers(): string[] {
    return Object.keys(this.#counts.held);
  }

  /** Whether a worker holds jobs. */
  isBusy(workerId: string): boolean {
    return Object.hasOwn(this.#counts.held, workerId);
  }

  /** How long the next job has waited, milliseconds; 0 if it has low priority or none waits. */
  get pressingFor(): number {
    return this.#nextSince === null || this.#counts.nextIsLow ? 0 : performance.now() - this.#nextSince;
  }
}

const EMPTY = {
  waiting: 0,
  lowPriority: 0,
  waitingBytes: 0,
  nextWaited: null,
  nextIsLow: false,
  held: {},
  completed: 0,
  failed: 0,
  retried: 0,
};

export class Queues {
  readonly #queues = new Map<string, Queue>();
  #waitingBytes = 0;

  /** Bytes of all waiting inputs. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** An endpoint's queue; creates an empty one if needed. */
  of(endpointId: string): Queue {
    let queue = this.#queues.get(endpointId);
    if (!queue) this.#queues.set(endpointId, (queue = new Queue()));
    return queue;
  }

  update(counts: QueueCounts): void {
    const queue = this.of(counts.endpoint);
    this.#waitingBytes += counts.waitingBytes - queue.waitingBytes;
    queue.update(counts);
  }

  delete(endpointId: string): void {
    this.#waitingBytes -= this.#queues.get(endpointId)?.waitingBytes ?? 0;
    this.#queues.delete(endpointId);
  }

  endpointIds(): string[] {
    return [...this.#queues.keys()];
  }
}
