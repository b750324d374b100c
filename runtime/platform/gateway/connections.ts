/**
 * The connections to load-balanced workers. They are kept between requests and dropped when their worker
 * ends.
 */
import type { WorkerSocket } from '../drivers/workerDriver.ts';
import type { Worker } from '../workers/worker.ts';
import { WorkerConnection } from './workerConnection.ts';

/** Most free connections that are kept per worker. */
const MOST_FREE = 256;

/**
 * Workers close idle connections after 5 s. The gateway closes them earlier, so that no request meets a
 * closing connection.
 */
const IDLE_MS = 4_000;
const SWEEP_MS = 1_000;

interface Pool {
  all: Set<WorkerConnection>;
  /** Connections that carry no request, the most recently used one last. */
  free: WorkerConnection[];
}

export class Connections {
  readonly #connect: (worker: Worker, onData?: (bytes: Buffer) => void) => WorkerSocket;
  readonly #pools = new Map<string, Pool>();
  readonly #sweep = setInterval(() => this.#closeIdle(), SWEEP_MS);

  /**
   * @param connect Connects to a worker. Calls `onData` with each chunk that arrives. Without it the connection is
   * read as a stream.
   */
  constructor(connect: (worker: Worker, onData?: (bytes: Buffer) => void) => WorkerSocket) {
    this.#connect = connect;
  }

  /** A kept connection to a worker, or a new one. */
  take(worker: Worker): WorkerConnection {
    const free = this.#pools.get(worker.id)?.free ?? [];
    for (let kept = free.pop(); kept; kept = free.pop()) {
      if (kept.isOpen && !isIdle(kept)) return kept;
      kept.destroy();
    }
    return this.open(worker);
  }

  /** A new connection to a worker. */
  open(worker: Worker): WorkerConnection {
    return this.#open(worker, (onData) => this.#connect(worker, onData));
  }

  /** A new connection to a worker that may switch to another protocol. */
  openStream(worker: Worker): WorkerConnection {
    return this.#open(worker, (onData) => this.#connect(worker).on('data', onData));
  }

  #open({ id }: Worker, connect: (onData: (bytes: Buffer) => void) => WorkerSocket): WorkerConnection {
    const pool = this.#pools.get(id) ?? { all: new Set(), free: [] };
    this.#pools.set(id, pool);
    const connection = new WorkerConnection(
      connect,
      (free) => {
        if (pool.free.length < MOST_FREE) pool.free.push(free);
        else free.destroy();
      },
      (closed) => {
        pool.all.delete(closed);
        const at = pool.free.indexOf(closed);
        if (at !== -1) pool.free.splice(at, 1);
        if (pool.all.size === 0 && this.#pools.get(id) === pool) this.#pools.delete(id);
      },
    );
    pool.all.add(connection);
    return connection;
  }

  /** A worker has ended. */
  drop(workerId: string): void {
    const pool = this.#pools.get(workerId);
    this.#pools.delete(workerId);
    for (const connection of pool?.all ?? []) connection.cut();
  }

  destroy(): void {
    clearInterval(this.#sweep);
    for (const workerId of this.#pools.keys()) this.drop(workerId);
  }

  /** One sweep for all connections. A timer per connection would be reset by every request. */
  #closeIdle(): void {
    for (const { free } of this.#pools.values()) while (free[0] && isIdle(free[0])) free.shift()?.destroy();
  }
}

function isIdle({ freeSince }: WorkerConnection): boolean {
  return performance.now() - freeSince > IDLE_MS;
}
