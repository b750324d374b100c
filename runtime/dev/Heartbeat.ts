/** A run of dev → the platform: says that the run lives, and hears which endpoints its workers look for or it has lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import { LIVE_LIMITS } from '../contract/limits.ts';
import type { Declined, LiveRunPlace } from '../contract/liveRun.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';

const RETRY_MS = 500;

interface HeartbeatOptions {
  client: PlatformClient;
  run: LiveRunPlace;
  /** Ids of the endpoints that the run believes to have. */
  serving: () => string[];
  /** Provisions an endpoint that a worker looks for; its failure is passed on to the worker. */
  wanted: (name: string) => Promise<void>;
  /** Called with ids of endpoints that the platform does not have any more. */
  lost: (ids: readonly string[]) => void;
  /** Called each time that the platform begins not to answer. */
  unreachable: (error: ToolkitError) => void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #stopping = new AbortController();
  #declined: Declined[] = [];
  #beating: Promise<void> = Promise.resolve();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /**
   * Begins the run. Resolves once the platform knows of it.
   *
   * @throws ToolkitError when the platform cannot be reached or refuses the key.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { client, run } = this.#options;
    await client.renewRun(run, { declined: [], serving: [], wait: 0 }, signal);
    this.#beating = this.#beat();
  }

  /** Ends the heartbeat, not the run. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const { signal } = this.#stopping;
    const { client, run, serving, lost, unreachable } = this.#options;
    const wait = LIVE_LIMITS.renewWait;
    let isSilent = false;
    while (!signal.aborted) {
      const declined = this.#declined;
      this.#declined = [];
      try {
        const said = { declined, serving: serving(), wait };
        const heard = await client.renewRun(run, said, signal);
        isSilent = false;
        if (heard.lost.length > 0) lost(heard.lost);
        for (const name of heard.wanted) void this.#provision(name);
      } catch (error) {
        if (signal.aborted) return;
        this.#declined.push(...declined);
        if (!(error instanceof ToolkitError)) throw error;
        if (!isSilent) unreachable(error);
        isSilent = true;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #provision(name: string): Promise<void> {
    try {
      await this.#options.wanted(name);
    } catch (error) {
      const known = error instanceof ToolkitError ? error : new ToolkitError('INTERNAL', String(error));
      this.#declined.push({ name, error: known.toBody() });
    }
  }
}
