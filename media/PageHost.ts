/** The environment of the page: provides the project, sends requests, and stores data. */
import type { DevState, RouteChoice } from '../runtime/contract/panelMessages.ts';
import type { PageEvent, PageProject } from '../runtime/contract/requestPage.ts';

/** Sends a request to the dev server. The body is JSON. */
export type Send = (
  path: string,
  request: { method?: string; body?: string | null; signal?: AbortSignal },
) => Promise<Response>;

export interface PageHost {
  /** URL of the dev server, without a path. */
  readonly origin: string;
  project(): Promise<PageProject>;
  /**
   * Subscribes to events and to the dev server's state.
   *
   * @param onState - Called whenever the dev server's state has changed.
   * @returns A function that ends the subscription.
   */
  follow(onEvent: (event: PageEvent) => void, onState: (state: DevState) => void): () => void;
  send: Send;
  copy(text: string): Promise<void>;
  choice: {
    /** Null for the first route. */
    current(): RouteChoice | null;
    choose(key: string): void;
    /** @returns A function that ends the subscription. */
    follow(changed: () => void): () => void;
  };
  /** Data that survives the page, by name. */
  store: {
    /** Undefined if nothing was written. */
    read(name: string): unknown;
    write(name: string, value: unknown): void;
  };
  /** Actions that only an editor offers; null in a browser. */
  editor: PageEditor | null;
}

interface PageEditor {
  /** @param file - Relative to the project's root; `line` is one-based. */
  openSource(file: string, line: number): void;
  save(name: string, bytes: Uint8Array<ArrayBuffer>): void;
  startDev(): void;
}
