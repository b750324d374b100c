/** Where the page runs: what it knows of the project, and how its requests are sent. */
import type { PageEvent, PageProject } from '../runtime/contract/requestPage.ts';
import type { HttpRequest } from './request/buildRequest.ts';
import type { Exchange } from './request/Exchange.ts';

export interface PageHost {
  /** Address of the dev server, without a path. */
  origin: string;
  project(): Promise<PageProject>;
  /**
   * Follows what happens.
   *
   * @param connected - Called with each begin and each loss of the connection.
   * @returns Ends it.
   */
  follow(heard: (event: PageEvent) => void, connected: (isConnected: boolean) => void): () => void;
  send(
    request: HttpRequest,
    options: { signal: AbortSignal; update: (known: Partial<Exchange>) => void },
  ): Promise<void>;
  copy(text: string): Promise<void>;
}
