/**
 * Parts that upcoming deploys rely on, from the upload ticket until the deploy begins. They are not removed
 * in between.
 */
import { PLATFORM_LIMITS } from '../../contract/limits.ts';

export class PartPromises {
  /** Content → monotonic times at which its promises expire, oldest first. */
  readonly #lapses = new Map<string, number[]>();

  /** Call when a client was told that a part exists, or where to upload it. */
  make(content: string): void {
    const lapses = this.#open(content);
    this.#lapses.set(content, [...lapses, performance.now() + PLATFORM_LIMITS.uploadTicket]);
  }

  /** Call when a deploy begins: it now refers to its parts itself. */
  redeem(content: string): void {
    const [, ...others] = this.#open(content);
    if (others.length > 0) this.#lapses.set(content, others);
    else this.#lapses.delete(content);
  }

  /** Whether an upcoming deploy relies on a part. */
  covers(content: string): boolean {
    const isOpen = this.#open(content).length > 0;
    if (!isOpen) this.#lapses.delete(content);
    return isOpen;
  }

  #open(content: string): number[] {
    const now = performance.now();
    return (this.#lapses.get(content) ?? []).filter((lapse) => lapse > now);
  }
}
