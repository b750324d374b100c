/**
 * Counts the waiting, running and ended jobs of each endpoint with every change. The counts are reported
 * after each commit.
 */
import type { DatabaseSync } from 'node:sqlite';
import { wallClock } from '../../clock.ts';
import type { QueueCounts } from '../../jobs/jobStore.ts';
import { first, rows } from '../statements.ts';

/** Fields of a job that its queue counts. */
export interface CountedJob {
  endpoint: string;
  low_priority: number;
  bytes: number;
  worker: string | null;
}

type Counter = 'completed' | 'failed' | 'retried';

interface Counts {
  waiting: number;
  lowPriority: number;
  waitingBytes: number;
  held: Map<string, number>;
  completed: number;
  failed: number;
  retried: number;
}

export class QueueCounter {
  readonly #queues = new Map<string, Counts>();
  readonly #touched = new Set<string>();
  /** Endpoints with jobs that have ended or were requeued. */
  readonly #counted = new Set<string>();
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
    this.recount();
  }

  /** Counts all rows. Called at the start and after a rollback. */
  recount(): void {
    this.#queues.clear();
    this.#counted.clear();
    for (const row of rows<Pick<Counts, Counter> & { id: string }>(this.#statements.ended)) {
      const { completed, failed, retried } = row;
      Object.assign(this.#of(row.id), { completed, failed, retried });
    }
    const { waiting, held } = this.#statements;
    for (const row of rows<{ endpoint: string; jobs: number; low: number; bytes: number }>(waiting)) {
      Object.assign(this.#of(row.endpoint), {
        waiting: row.jobs,
        lowPriority: row.low,
        waitingBytes: row.bytes,
      });
    }
    for (const row of rows<{ endpoint: string; worker: string; jobs: number }>(held)) {
      this.#of(row.endpoint).held.set(row.worker, row.jobs);
    }
  }

  waits({ endpoint, low_priority, bytes }: Omit<CountedJob, 'worker'>, by: 1 | -1): void {
    const counts = this.#of(endpoint);
    counts.waiting += by;
    counts.lowPriority += by * low_priority;
    counts.waitingBytes += by * bytes;
  }

  isHeld(endpoint: string, worker: string, by: 1 | -1): void {
    const { held } = this.#of(endpoint);
    const jobs = (held.get(worker) ?? 0) + by;
    if (jobs > 0) held.set(worker, jobs);
    else held.delete(worker);
  }

  count(endpoint: string, counter: Counter): void {
    this.#of(endpoint)[counter] += 1;
    this.#counted.add(endpoint);
  }

  forget(endpoint: string): void {
    this.#queues.delete(endpoint);
    this.#touched.delete(endpoint);
    this.#counted.delete(endpoint);
  }

  /** Writes the counters of ended and requeued jobs. */
  write(): void {
    for (const endpoint of this.#counted) {
      const { completed, failed, retried } = this.#of(endpoint);
      this.#statements.write.run(completed, failed, retried, endpoint);
    }
    this.#counted.clear();
  }

  /** Writes the counters of this transaction. Returns the queues that it has changed. */
  settle(): QueueCounts[] {
    this.write();
    const changed = [...this.#touched].map((endpoint) => this.#report(endpoint));
    this.#touched.clear();
    return changed;
  }

  #of(endpoint: string): Counts {
    this.#touched.add(endpoint);
    let counts = this.#queues.get(endpoint);
    if (!counts) {
      counts = {
        waiting: 0,
        lowPriority: 0,
        waitingBytes: 0,
        held: new Map(),
        completed: 0,
        failed: 0,
        retried: 0,
      };
      this.#queues.set(endpoint, counts);
    }
    return counts;
  }

  #report(endpoint: string): QueueCounts {
    const { held, ...counts } = this.#of(endpoint);
    const next =
      counts.waiting === 0
        ? null
        : first<{ queued: number; low_priority: number }>(this.#statements.next.get(endpoint));
    return {
      ...counts,
      endpoint,
      held: Object.fromEntries(held),
      nextWaited: next && Math.max(0, wallClock() - next.queued),
      nextIsLow: next?.low_priority === 1,
    };
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    waiting: sql(`
      SELECT endpoint, count(*) AS jobs, sum(low_priority) AS low, sum(bytes) AS bytes
      FROM jobs WHERE state = 'IN_QUEUE' GROUP BY endpoint`),
    held: sql(`
      SELECT endpoint, worker, count(*) AS jobs FROM jobs WHERE state = 'IN_PROGRESS' GROUP BY endpoint, worker`),
    ended: sql('SELECT id, completed, failed, retried FROM endpoints'),
    next: sql(`
      SELECT queued, low_priority FROM jobs WHERE endpoint = ? AND state = 'IN_QUEUE' ORDER BY rank, seq LIMIT 1`),
    write: sql('UPDATE endpoints SET completed = ?, failed = ?, retried = ? WHERE id = ?'),
  };
}
