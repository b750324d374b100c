/**
 * Messages between the API explorer and the extension host when the page is a panel of VS Code. The page has
 * no network access. Its requests go through the extension host, which sends them only to the dev server.
 */
import type { RouteMethod } from './endpoint.ts';
import type { PageEvent } from './requestPage.ts';

/** What an editor knows about a route before the dev server has reported its path. */
export interface RouteTarget {
  /** Null if the name is known only at run time. */
  endpoint: string | null;
  /** As declared; null for a queue-based function or a whole instance. */
  route: { method: RouteMethod; path: string } | null;
  /** Relative to the project's root; null if unknown. */
  file: string | null;
}

/** The route that the page shows: a listed one, by its method and path, or one that an editor describes. */
export type RouteChoice = { key: string } | RouteTarget;

/** What the webview keeps when the window reloads. */
export interface PanelState {
  /** URI of the project's root. */
  root: string;
  /** Null: the project's first route. */
  choice: RouteChoice | null;
}

/** `lost`: it was running and no longer responds. `stopped`: it is not running. */
export type DevState = 'connected' | 'lost' | 'starting' | 'stopped';

/** Extension host → page. */
export type ToPanel =
  /** The response to `ready`, sent before all others. `stored` contains what the page has stored, by name. */
  | { type: 'start'; state: PanelState; stored: Record<string, unknown> }
  | { type: 'choose'; choice: RouteChoice }
  /** `origin` is the dev server's address without a path; null if there is no dev server. */
  | { type: 'dev'; state: DevState; origin: string | null }
  | { type: 'event'; event: PageEvent }
  /** The start of a response. The body follows in chunks. */
  | { type: 'head'; id: number; status: number; headers: [string, string][] }
  | { type: 'chunk'; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'end'; id: number }
  /** A request got no response, or the connection broke off during the response. */
  | { type: 'failed'; id: number; message: string }
  /** `failure` is null when the text was copied. */
  | { type: 'copied'; id: number; failure: string | null };

/** Page → extension host. */
export type FromPanel =
  /** The page is ready to receive messages. */
  | { type: 'ready' }
  /** A request to the dev server. `body` is JSON. */
  | { type: 'request'; id: number; method: string; path: string; body: string | null }
  | { type: 'abort'; id: number }
  /** Kept for the workspace, also after a restart. */
  | { type: 'store'; name: string; value: unknown }
  | { type: 'copy'; id: number; text: string }
  | { type: 'save'; name: string; bytes: Uint8Array<ArrayBuffer> }
  /** `file` is relative to the project's root; `line` is from 1. */
  | { type: 'openSource'; file: string; line: number }
  | { type: 'startDev' };
