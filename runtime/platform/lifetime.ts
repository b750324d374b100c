/** How long the platform runs: until it is asked to stop, or until it has been idle with nothing deployed. */
import { PLATFORM_LIMITS } from '../contract/limits.ts';
import type { Endpoints } from './endpoints.ts';
import type { PlatformEvents } from './events.ts';
import type { Underway } from './stateManager/underway.ts';

export class Lifetime {
  /** Whether the platform is stopping. It then accepts no jobs and assigns none to workers. */
  isStopping = false;
  #lastUse = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(events: PlatformEvents) {
    events.on('used', () => {
      this.#lastUse = performance.now();
    });
  }

  /** Resolves when nothing is deployed and the platform has been idle for `idleExit`. */
  idle(endpoints: Endpoints, underway: Underway): Promise<void> {
    return new Promise((resolve) => {
      this.#timer = setInterval(() => {
        const isUnused = performance.now() - this.#lastUse > PLATFORM_LIMITS.idleExit;
        if (isUnused && endpoints.all().length === 0 && !underway.busy) resolve();
      }, PLATFORM_LIMITS.idleExit / 20);
    });
  }

  stop(): void {
    this.isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
  }
}
