/** What the request page shows: answered by the dev server below `/_toolkit/`. */
import type { EndpointKind, RouteMethod } from './endpoint.ts';
import type { ErrorBody } from './errors.ts';
import type { InputSchema } from './inputSchema.ts';

/** Paths of the dev server that are the page's. */
export const PAGE_PATHS = {
  page: '/docs',
  /** Files of the page. */
  files: '/_toolkit/page',
  /** Answers a `PageProject`. */
  project: '/_toolkit/project',
  /** Server-sent events, each a `PageEvent`. */
  events: '/_toolkit/events',
  /** A POST with the token as a bearer sets the cookie that a browser sends from then on. */
  session: '/_toolkit/session',
} as const;

/** Header of answers: the hardware that the worker runs on, as the platform describes it. */
export const HARDWARE_HEADER = 'x-toolkit-hardware';

/** One thing that can be called. */
export interface PageRoute {
  method: RouteMethod;
  /** With its `{parameters}`. */
  path: string;
  endpoint: string;
  kind: EndpointKind;
  file: string;
  /** From 1. */
  line: number;
  /** First line of the function's docstring, or null. */
  description: string | null;
  /** Null when no function is known. */
  input: InputSchema | null;
}

export interface PageEndpoint {
  name: string;
  state: string;
  /** What it runs on; null before the first call. */
  hardware: string | null;
  /** Why the newest code does not serve; null when it does. */
  stale: ErrorBody | null;
}

export interface PageProject {
  app: string;
  environment: string;
  /** Whether requests need the token of this run. */
  needsToken: boolean;
  /** In order of file, then line. */
  routes: PageRoute[];
  endpoints: PageEndpoint[];
}

/** What happens while the page is open. */
export type PageEvent =
  /** A line that a worker of the endpoint wrote. */
  | { event: 'log'; endpoint: string; level: string; message: string }
  /** The project is another one, or its endpoints are. */
  | { event: 'changed' };
