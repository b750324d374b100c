/** What happens in a run → the request pages that are open. */
import type { DevEvent } from '../contract/devEvents.ts';
import type { PageEvent } from '../contract/requestPage.ts';

type Listener = (event: PageEvent) => void;

export class EventFeed {
  readonly #listeners = new Set<Listener>();

  /** Publishes what an event of the run means to a page. */
  take(event: DevEvent): void {
    if (event.event === 'log') this.#publish(event);
    else if (event.event !== 'request') this.changed();
  }

  /** The project is another one, or its endpoints are. */
  changed(): void {
    this.#publish({ event: 'changed' });
  }

  /** @returns Ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #publish(event: PageEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
