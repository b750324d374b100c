/** Where the page runs: what it knows of the project, how its requests are sent, and where it keeps things. */
import type { DevState, RouteChoice } from '../runtime/contract/panelMessages.ts';
import type { PageEvent, PageProject } from '../runtime/contract/requestPage.ts';

/** Sends a request to the dev server; a body is JSON. */
export type Send = (
  path: string,
  request: { method?: string; body?: string | null; signal?: AbortSignal },
) => Promise<Response>;

export interface PageHost {
  /** Address of the dev server, without a path. */
  readonly origin: string;
  project(): Promise<PageProject>;
  /**
   * Follows what happens.
   *
   * @param connected - Called whenever the dev server's state has changed.
   * @returns Ends it.
   */
  follow(heard: (event: PageEvent) => void, connected: (state: DevState) => void): () => void;
  send: Send;
  copy(text: string): Promise<void>;
  choice: {
    /** Null for the first route. */
    current(): RouteChoice | null;
    choose(key: string): void;
    /** @returns Ends it. */
    follow(changed: () => void): () => void;
  };
  /** What outlives the page, by name. */
  store: {
    /** Undefined for what was never written. */
    read(name: string): unknown;
    write(name: string, value: unknown): void;
  };
  /** What only an editor can do; null in a browser. */
  editor: PageEditor | null;
}

interface PageEditor {
  /** @param file - From the project's root; `line` is from 1. */
  openSource(file: string, line: number): void;
  save(name: string, bytes: Uint8Array<ArrayBuffer>): void;
  startDev(): void;
}
