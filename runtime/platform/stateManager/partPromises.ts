/** Parts that a deploy to come relies on, from its upload tickets until it begins: meanwhile none of them is removed. */
import { PLATFORM_LIMITS } from '../../contract/limits.ts';

export class PartPromises {
  /** Content → monotonic instants at which its promises lapse, oldest first. */
  readonly #lapses = new Map<string, number[]>();

  /** A client was told that a part is here, or where to send it. */
  make(content: string): void {
    const lapses = this.#open(content);
    this.#lapses.set(content, [...lapses, performance.now() + PLATFORM_LIMITS.uploadTicket]);
  }

  /** A deploy begins: from now on it holds its parts itself. */
  redeem(content: string): void {
    const [, ...others] = this.#open(content);
    if (others.length > 0) this.#lapses.set(content, others);
    else this.#lapses.delete(content);
  }

  /** Whether a deploy to come relies on a part. */
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
