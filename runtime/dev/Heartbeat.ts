/** Keeps a run of dev alive on the platform, and learns which endpoints its workers request and which it has lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, ToolkitError } from '../contract/errors.ts';
import { LIVE_LIMITS } from '../contract/limits.ts';
import type { Declined, LiveRunTarget } from '../contract/liveRun.ts';
import type { PlatformClient } from '../deploy/platformClient.ts';

const RETRY_MS = 500;
/**
 * Another platform can have the address now. It counts wrong keys, and refuses to judge those of its own users after
 * ten in a minute.
 */
const REJECTED_MS = 15_000;
const REJECTED: readonly ErrorCode[] = ['KEY_REJECTED', 'RATE_LIMITED'];

interface HeartbeatOptions {
  client: PlatformClient;
  run: LiveRunTarget;
  /** Ids of the endpoints that the run considers live. */
  serving: () => string[];
  /** Provisions an endpoint that a worker requests. A failure is passed on to the worker. */
  wanted: (name: string) => Promise<void>;
  /** Called with the ids of endpoints that no longer exist on the platform. */
  lost: (ids: readonly string[]) => void;
  /** Called once each time the platform stops responding, or begins to reject the key. */
  failed: (error: ToolkitError) => void;
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
   * Begins the run. Resolves once the platform has registered it.
   *
   * @throws ToolkitError if the platform cannot be reached or rejects the key.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { client, run } = this.#options;
    await client.renewRun(run, { declined: [], serving: [], wait: 0 }, signal);
    this.#beating = this.#beat();
  }

  /** Ends the heartbeat, but not the run. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const { signal } = this.#stopping;
    const { client, run, serving, lost, failed } = this.#options;
    const wait = LIVE_LIMITS.renewWait;
    let failure: ErrorCode | null = null;
    while (!signal.aborted) {
      const declined = this.#declined;
      this.#declined = [];
      try {
        const beat = { declined, serving: serving(), wait };
        const renewal = await client.renewRun(run, beat, signal);
        failure = null;
        if (renewal.lost.length > 0) lost(renewal.lost);
        for (const name of renewal.wanted) void this.#provision(name);
      } catch (error) {
        if (signal.aborted) return;
        this.#declined.push(...declined);
        if (!(error instanceof ToolkitError)) throw error;
        if (failure !== error.code) failed(error);
        failure = error.code;
        const pause = REJECTED.includes(error.code) ? REJECTED_MS : RETRY_MS;
        await sleep(pause, undefined, { signal }).catch(() => {});
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
