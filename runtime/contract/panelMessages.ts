/**
 * What the request page and the extension host say to each other where the page is a panel of VS Code. The page has no
 * network: its requests go through the extension host, which sends them to the dev server and to nothing else.
 */
import type { RouteMethod } from './endpoint.ts';
import type { PageEvent } from './requestPage.ts';

/** What an editor knows of a route before the dev server has reported its path. */
export interface RouteTarget {
  /** Null where only running the code could tell the name. */
  endpoint: string | null;
  /** As declared; null for a queue-based function or a whole instance. */
  route: { method: RouteMethod; path: string } | null;
  /** From the project's root; null when it is not known. */
  file: string | null;
}

/** The route that the page shows: one that it has listed, by its method and path, or one that an editor means. */
export type RouteChoice = { key: string } | RouteTarget;

/** What the webview keeps over a reload of the window. */
export interface PanelState {
  /** URI of the project's root. */
  root: string;
  /** Null for the project's first route. */
  choice: RouteChoice | null;
}

/** `lost`: it ran and does not answer. `stopped`: it does not run. */
export type DevState = 'connected' | 'lost' | 'starting' | 'stopped';

/** Extension host → page. */
export type ToPanel =
  /** The answer to `ready`, before all others. `stored` is what the page has stored before, by name. */
  | { type: 'start'; state: PanelState; stored: Record<string, unknown> }
  | { type: 'choose'; choice: RouteChoice }
  /** `origin` is the dev server's address without a path; null where there is none. */
  | { type: 'dev'; state: DevState; origin: string | null }
  | { type: 'event'; event: PageEvent }
  /** The answer to a request begins; its body follows in chunks. */
  | { type: 'head'; id: number; status: number; headers: [string, string][] }
  | { type: 'chunk'; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'end'; id: number }
  /** A request got no answer, or its answer broke off. */
  | { type: 'failed'; id: number; message: string }
  /** `failure` is null when the text is in the clipboard. */
  | { type: 'copied'; id: number; failure: string | null };

/** Page → extension host. */
export type FromPanel =
  /** The page listens. */
  | { type: 'ready' }
  /** A request to the dev server; a body is JSON. */
  | { type: 'request'; id: number; method: string; path: string; body: string | null }
  | { type: 'abort'; id: number }
  /** Kept for the workspace over restarts. */
  | { type: 'store'; name: string; value: unknown }
  | { type: 'copy'; id: number; text: string }
  | { type: 'save'; name: string; bytes: Uint8Array<ArrayBuffer> }
  /** `file` is from the project's root, `line` from 1. */
  | { type: 'openSource'; file: string; line: number }
  | { type: 'startDev' };
