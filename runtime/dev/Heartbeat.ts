/** A run of dev → the platform: says that the run lives, and hears which endpoints its workers look for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../contract/errors.ts';
import { LIVE_LIMITS } from '../contract/limits.ts';
import type { Declined, LiveRunPlace } from '../contract/liveRun.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';

const RETRY_MS = 500;

export class Heartbeat {
  readonly #client: PlatformClient;
  readonly #run: LiveRunPlace;
  readonly #wanted: (name: string) => Promise<void>;
  readonly #lost: (error: ToolkitError) => void;
  readonly #stopping = new AbortController();
  #declined: Declined[] = [];
  #beating: Promise<void> = Promise.resolve();

  /**
   * @param wanted - Provisions an endpoint that a worker looks for; its failure is passed on to the worker.
   * @param lost - Called each time that the platform begins not to answer.
   */
  constructor(
    client: PlatformClient,
    run: LiveRunPlace,
    { wanted, lost }: { wanted: (name: string) => Promise<void>; lost: (error: ToolkitError) => void },
  ) {
    this.#client = client;
    this.#run = run;
    this.#wanted = wanted;
    this.#lost = lost;
  }

  /**
   * Begins the run. Resolves once the platform knows of it.
   *
   * @throws ToolkitError when the platform cannot be reached or refuses the key.
   */
  async start(signal: AbortSignal): Promise<void> {
    await this.#client.renewRun(this.#run, [], 0, signal);
    this.#beating = this.#beat();
  }

  /** Ends the heartbeat, not the run. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const { signal } = this.#stopping;
    let isLost = false;
    while (!signal.aborted) {
      const declined = this.#declined;
      this.#declined = [];
      try {
        const names = await this.#client.renewRun(this.#run, declined, LIVE_LIMITS.renewWait, signal);
        isLost = false;
        for (const name of names) void this.#provision(name);
      } catch (error) {
        if (signal.aborted) return;
        this.#declined.push(...declined);
        if (!(error instanceof ToolkitError)) throw error;
        if (!isLost) this.#lost(error);
        isLost = true;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #provision(name: string): Promise<void> {
    try {
      await this.#wanted(name);
    } catch (error) {
      const known = error instanceof ToolkitError ? error : new ToolkitError('INTERNAL', String(error));
      this.#declined.push({ name, error: known.toBody() });
    }
  }
}
