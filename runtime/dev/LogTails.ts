/** Logs of the live endpoints → lines as their workers write them. The platform is asked only while something happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import type { LiveEndpoints } from './LiveEndpoints.ts';

const POLL_MS = 150;
/** After the last request, lines may still come for so long, milliseconds; later ones show with the next request. */
const LINGER_MS = 10_000;

/** A line of one endpoint's workers. */
export interface TailLine {
  endpoint: string;
  level: WorkerLogLine['level'];
  message: string;
}

export class LogTails {
  readonly #client: PlatformClient;
  readonly #live: LiveEndpoints;
  readonly #write: (line: TailLine) => void;
  readonly #stopping = new AbortController();
  /** Endpoint's id → where its log goes on. */
  readonly #cursors = new Map<string, string>();
  /** Requests under way. */
  #requests = 0;
  #until = 0;
  #following: Promise<void> | null = null;

  constructor(client: PlatformClient, live: LiveEndpoints, write: (line: TailLine) => void) {
    this.#client = client;
    this.#live = live;
    this.#write = write;
  }

  /** A request goes to an endpoint: follows the logs until it has ended, and for a while after. */
  begin(): void {
    this.#requests += 1;
    this.#following ??= this.#followAll().finally(() => {
      this.#following = null;
    });
  }

  /** A request has ended. */
  end(): void {
    this.#requests -= 1;
    this.#until = performance.now() + LINGER_MS;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #followAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && (this.#requests > 0 || performance.now() < this.#until)) {
      await Promise.all(
        this.#live.all.flatMap(({ name, address }) => (address ? [this.#read(name, address.id)] : [])),
      );
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #read(endpoint: string, id: string): Promise<void> {
    const cursor = this.#cursors.get(id) ?? null;
    const query = { worker: null, since: null, cursor, limit: null };
    try {
      const page = await this.#client.logs(id, query, this.#stopping.signal);
      this.#cursors.set(id, page.cursor);
      for (const { level, message } of page.lines) this.#write({ endpoint, level, message });
    } catch {
      // The endpoint has gone, or the platform does not answer, which the heartbeat reports.
    }
  }
}
