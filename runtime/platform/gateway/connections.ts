/** The kept connections to load-balanced workers, a pool for each, dropped with it. */
import { Agent } from 'node:http';

/** Workers close idle connections after 5 s: ours are closed before, so that no request meets a closing one. */
const IDLE_CONNECTION_MS = 4_000;

export class Connections {
  readonly #pools = new Map<string, Agent>();

  /** The kept connections to a worker. */
  of(workerId: string): Agent {
    let pool = this.#pools.get(workerId);
    if (!pool) {
      pool = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: IDLE_CONNECTION_MS });
      this.#pools.set(workerId, pool);
    }
    return pool;
  }

  /** A worker has ended. */
  drop(workerId: string): void {
    this.#pools.get(workerId)?.destroy();
    this.#pools.delete(workerId);
  }

  destroy(): void {
    for (const pool of this.#pools.values()) pool.destroy();
    this.#pools.clear();
  }
}
