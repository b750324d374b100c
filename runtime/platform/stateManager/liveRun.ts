/**
 * One run of `toolkit dev` on the platform: the time of its last heartbeat, its endpoints that are being
 * provisioned, and those that its workers wait for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolkitError } from '../../contract/errors.ts';
import { LIVE_LIMITS } from '../../contract/limits.ts';
import type { Declined, LiveRunTarget } from '../../contract/liveRun.ts';

/** A worker's lookup of an endpoint that does not exist yet. */
interface Lookup {
  name: string;
  /** Called when the endpoint serves or was declined. */
  settle(declined: Declined | null): void;
}

/** One provisioning of an endpoint. */
export interface Provisioning {
  /** Resolves when the earlier provisioning of the endpoint, which this one cancels, has ended. */
  earlier: Promise<void>;
  /** Aborted when a newer provisioning replaces this one, or the endpoint is released. Its reason is the error. */
  cancelled: AbortSignal;
  /** Must be called once. */
  end(): void;
}

export class LiveRun {
  readonly id: string;
  readonly app: string;
  readonly environment: string;
  /** Monotonic time of the last heartbeat. */
  lastHeard = performance.now();
  /** The newest provisioning of each endpoint, by its name on the platform, until it ends. */
  readonly #provisionings = new Map<string, { cancelling: AbortController; ended: Promise<unknown> }>();
  readonly #lookups = new Set<Lookup>();
  /** Names that were returned by a renewal. */
  readonly #returned = new Set<string>();
  #wake: (() => void) | null = null;
  /** Renewals that wait for a response. */
  #renewals = 0;

  constructor({ id, app, environment }: LiveRunTarget) {
    this.id = id;
    this.app = app;
    this.environment = environment;
  }

  /** Begins to provision an endpoint, and cancels the earlier provisioning of it. */
  provision(name: string): Provisioning {
    const earlier = this.cancel([name], `A newer version of "${name}" replaced this one.`);
    const cancelling = new AbortController();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const ended = Promise.all([earlier, promise]);
    this.#provisionings.set(name, { cancelling, ended });
    void ended.then(() => {
      if (this.#provisionings.get(name)?.ended === ended) this.#provisionings.delete(name);
    });
    return { earlier, cancelled: cancelling.signal, end };
  }

  /**
   * Cancels the provisionings of endpoints; without names, of all of them. Resolves when they have ended.
   *
   * @param why - A complete sentence.
   */
  async cancel(names: readonly string[] | null, why: string): Promise<void> {
    const cancelled = [...this.#provisionings].filter(([name]) => names === null || names.includes(name));
    for (const [, { cancelling }] of cancelled) cancelling.abort(new ToolkitError('DEPLOY_CONFLICT', why));
    await Promise.all(cancelled.map(([, { ended }]) => ended));
  }

  /**
   * Names that workers wait for and that were not returned by a renewal yet.
   *
   * @param waitMs - How long to wait for one.
   */
  async wanted(waitMs: number, signal: AbortSignal): Promise<string[]> {
    this.lastHeard = performance.now();
    this.#renewals += 1;
    if (this.#unreturned().length === 0 && waitMs > 0) await this.#sleep(waitMs, signal);
    this.#renewals -= 1;
    this.lastHeard = performance.now();
    const names = this.#unreturned();
    for (const name of names) this.#returned.add(name);
    return names;
  }

  /**
   * Waits until an endpoint serves. Resolves with the reason if it was declined; with null if it serves or
   * the wait ends.
   */
  waitFor(name: string, waitMs: number): Promise<Declined | null> {
    return new Promise((resolve) => {
      const lookup: Lookup = {
        name,
        settle: (declined) => {
          clearTimeout(timer);
          this.#lookups.delete(lookup);
          resolve(declined);
        },
      };
      const timer = setTimeout(() => lookup.settle(null), waitMs);
      this.#lookups.add(lookup);
      this.#wake?.();
    });
  }

  /** Ends the waits for an endpoint. */
  settle(name: string, declined: Declined | null): void {
    this.#returned.delete(name);
    for (const lookup of this.#lookups) if (lookup.name === name) lookup.settle(declined);
  }

  /** Takes over the run from a process that has ended; false if that process still renews it. */
  async resume(): Promise<boolean> {
    const { lastHeard } = this;
    if (this.#renewals > 0) return false;
    await sleep(LIVE_LIMITS.silence);
    if (this.lastHeard !== lastHeard) return false;
    this.lastHeard = performance.now();
    return true;
  }

  /** Ends the wait of a renewal. */
  wake(): void {
    this.#wake?.();
  }

  /** Ends every wait. */
  close(): void {
    for (const lookup of this.#lookups) lookup.settle(null);
    this.wake();
  }

  #unreturned(): string[] {
    return [...new Set([...this.#lookups].map(({ name }) => name))].filter(
      (name) => !this.#returned.has(name),
    );
  }

  #sleep(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        if (this.#wake === end) this.#wake = null;
        resolve();
      };
      const timer = setTimeout(end, waitMs);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }
}
