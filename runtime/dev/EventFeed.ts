/** Events of a run → the open API explorers. */
import type { DevEvent } from '../contract/devEvents.ts';
import type { PageEvent } from '../contract/requestPage.ts';

type Listener = (event: PageEvent) => void;

export class EventFeed {
  readonly #listeners = new Set<Listener>();

  /** Publishes an event of the run in the form that pages understand. */
  take(event: DevEvent): void {
    if (event.event === 'log') this.#publish(event);
    else if (event.event !== 'request') this.changed();
  }

  /** Tells pages to read the project again: it or its endpoints have changed. */
  changed(): void {
    this.#publish({ event: 'changed' });
  }

  /** @returns A function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #publish(event: PageEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
