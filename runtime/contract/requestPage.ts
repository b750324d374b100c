/** The data of the API explorer. The dev server serves it below `/_toolkit/`. */
import type { EndpointKind, RouteMethod } from './endpoint.ts';
import type { ErrorBody } from './errors.ts';
import type { InputSchema } from './inputSchema.ts';

/** Paths of the dev server that belong to the page. */
export const PAGE_PATHS = {
  page: '/docs',
  /** Files of the page. */
  files: '/_toolkit/page',
  /** Returns a `PageProject`. */
  project: '/_toolkit/project',
  /** Server-sent events, each a `PageEvent`. */
  events: '/_toolkit/events',
  /** A POST with the token as bearer sets the cookie that the browser sends afterwards. */
  session: '/_toolkit/session',
} as const;

/** Header of responses: the worker's hardware, as the platform describes it. */
export const HARDWARE_HEADER = 'x-toolkit-hardware';

/** A route or queue-based function that can be called. */
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
  /** Null if the function is unknown. */
  input: InputSchema | null;
}

export interface PageEndpoint {
  name: string;
  state: string;
  /** The hardware it runs on; null before the first call. */
  hardware: string | null;
  /** Why the newest code does not serve; null if it does. */
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

/** Events while the page is open. */
export type PageEvent =
  /** A line that a worker of the endpoint wrote. */
  | { event: 'log'; endpoint: string; level: string; message: string }
  /** The project or its endpoints have changed. */
  | { event: 'changed' };
