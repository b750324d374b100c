/** The live jobs of one endpoint in memory: what waits, what runs and under which lease, and who asks for work. */
import type { LiveJobRow } from '../store/rows.ts';

/** Inputs up to this many characters stay in memory until they are taken. */
const KEPT_INPUT = 64 * 1024;

export interface LiveJob extends LiveJobRow {
  /** JSON text; null when only the store has it. */
  input: string | null;
  /** Monotonic instant after which the lease is lost; only while in progress. */
  leaseUntil: number;
  /** Monotonic instant of the take; only while in progress. */
  takenAt: number;
  /** Monotonic instant of entering the queue. */
  queuedAt: number;
  /** Monotonic instant after which it is not started any more. */
  expiresAt: number;
}

/** A worker's long poll. */
export interface Taker {
  workerId: string;
  /** Jobs it wants at most. */
  count: number;
  /** False once its socket is closed. */
  open(): boolean;
  give(jobs: LiveJob[]): void;
}

export class EndpointQueue {
  /** Returned jobs go before those that were never taken, and those of low priority after all others. */
  readonly #returned = new Map<string, LiveJob>();
  readonly #fresh = new Map<string, LiveJob>();
  readonly #low = new Map<string, LiveJob>();
  readonly inProgress = new Map<string, LiveJob>();
  takers: Taker[] = [];

  get waiting(): number {
    return this.#returned.size + this.#fresh.size + this.#low.size;
  }

  /** Waiting jobs for which more workers are started. */
  get pressing(): number {
    return this.#returned.size + this.#fresh.size;
  }

  /** The job that is next, null when none waits. */
  peek(): LiveJob | null {
    const [next = null] = this.queued();
    return next;
  }

  /** Jobs that wait, next first. */
  *queued(): Generator<LiveJob> {
    yield* this.#returned.values();
    yield* this.#fresh.values();
    yield* this.#low.values();
  }

  find(id: string): LiveJob | null {
    return (
      this.inProgress.get(id) ?? this.#fresh.get(id) ?? this.#returned.get(id) ?? this.#low.get(id) ?? null
    );
  }

  add(job: LiveJob): void {
    if (job.input !== null && job.input.length > KEPT_INPUT) job.input = null;
    (job.low_priority ? this.#low : this.#fresh).set(job.id, job);
  }

  putBack(job: LiveJob): void {
    this.inProgress.delete(job.id);
    job.state = 'IN_QUEUE';
    job.worker = null;
    job.started = null;
    job.queuedAt = performance.now();
    this.#returned.set(job.id, job);
  }

  remove(job: LiveJob): void {
    this.inProgress.delete(job.id);
    this.#fresh.delete(job.id);
    this.#returned.delete(job.id);
    this.#low.delete(job.id);
  }
}

/** @param age Milliseconds since its submission. */
export function liveJob(row: LiveJobRow, input: string | null, age: number): LiveJob {
  const now = performance.now();
  return { ...row, input, leaseUntil: 0, takenAt: now, queuedAt: now, expiresAt: now + row.ttl - age };
}
