/** Follows the logs of the live endpoints. Polls the platform only during requests and shortly after. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import type { WorkerLogLine } from '../contract/workerProtocol.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';
import type { LiveEndpoints } from './LiveEndpoints.ts';

const POLL_MS = 150;
/** In milliseconds. Polling continues this long after the last request; later lines appear with the next request. */
const LINGER_MS = 10_000;

/** A log line of one endpoint. */
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
  /** Endpoint id → cursor of its next log page. */
  readonly #cursors = new Map<string, string>();
  /** Requests in progress. */
  #requests = 0;
  /** Until when it polls: Infinity during requests, 0 when the platform rejects the key. */
  #until = 0;
  #following: Promise<void> | null = null;

  constructor(client: PlatformClient, live: LiveEndpoints, write: (line: TailLine) => void) {
    this.#client = client;
    this.#live = live;
    this.#write = write;
  }

  /** A request begins: follows the logs until it ends, and for a while after. */
  begin(): void {
    this.#requests += 1;
    this.#until = Infinity;
    this.#following ??= this.#followAll().finally(() => {
      this.#following = null;
    });
  }

  /** A request has ended. */
  end(): void {
    this.#requests -= 1;
    if (this.#requests === 0 && this.#until > 0) this.#until = performance.now() + LINGER_MS;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #followAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && performance.now() < this.#until) {
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
    } catch (error) {
      // The endpoint is gone, or the platform does not respond, which the heartbeat reports.
      if (error instanceof ToolkitError && error.code === 'KEY_REJECTED') this.#until = 0;
    }
  }
}
