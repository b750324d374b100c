/** Declared endpoints → the paths of the dev server, each mapped to an endpoint's function or route. */
import type { Endpoint, EndpointKind, RouteMethod } from '../contract/endpoint.ts';
import { PROJECT_FILES } from '../contract/names.ts';
import { filePrefix, queuePrefix, shapeOf } from '../source/declarations/devPath.ts';

export { shapeOf };

/** Operations of a queue-based endpoint, below its path. A job's id follows those that end with `/`. */
export const QUEUE_OPERATIONS = {
  runsync: 'POST',
  run: 'POST',
  'status/': 'GET',
  'status-sync/': 'GET',
  'stream/': 'GET',
  'cancel/': 'POST',
} as const;

/** The path of a command that handles HTTP itself, with any method. */
export const EVERY_PATH = '/{path:path}';

/** One callable path. */
export interface DevRoute {
  /** POST for a queue-based endpoint, the method of its `runsync`. */
  method: RouteMethod;
  /** Precedes `/runsync`, or the declared path of a route. */
  prefix: string;
  /** The declared path of a route; null for a queue-based endpoint. */
  path: string | null;
  /** The variable that a route's decorator uses for the endpoint; null for anything else. */
  instance: string | null;
  endpoint: string;
  kind: EndpointKind;
  /** The function's module and name, as `module:name`; null for a command. */
  function: string | null;
  file: string;
  /** One-based. */
  line: number;
  description: string | null;
}

/** Several routes at one path: none of them is served there. */
export interface Clash {
  method: RouteMethod;
  path: string;
  routes: DevRoute[];
  /** The paths that they are served at instead; empty if there are none. */
  instead: string[];
}

export interface DevRoutes {
  /** In declaration order: by file, then line. */
  routes: DevRoute[];
  clashes: Clash[];
}

/** The path that a client calls. */
export function pathOf({ prefix, path }: DevRoute): string {
  return path === null ? `${prefix}/runsync` : prefix + encoded(path);
}

/** The path as clients send it, URL-encoded. Parameters stay in braces. */
function encoded(path: string): string {
  return path.replace(/\{[^}]*\}|[^{]+/g, (part) => (part.startsWith('{') ? part : encodeURI(part)));
}

/** The routes of all endpoints with known names. */
export function devRoutes(endpoints: readonly Endpoint[]): DevRoutes {
  const declared = endpoints.flatMap((endpoint) =>
    endpoint.name === null ? [] : routesOf({ ...endpoint, name: endpoint.name }, endpoints),
  );
  const divided = samePath(declared).filter(isOfInstances).flat();
  const routes = declared.map((route) => (divided.includes(route) ? ofInstance(route) : route));
  const clashes = [
    ...samePath(divided).map((same) => clashOf(same, same.map(ofInstance).map(pathOf))),
    ...samePath(routes).map((same) => clashOf(same, [])),
  ];
  return { routes, clashes };
}

type Named = Endpoint & { name: string };

/** A clash of routes at one path. */
export function clashOf(same: readonly DevRoute[], instead: string[]): Clash {
  const { method } = same[0]!;
  return { method, path: pathOf(same[0]!), routes: [...same], instead };
}

function samePath(routes: readonly DevRoute[]): DevRoute[][] {
  const byPath = Map.groupBy(routes, (route) => `${route.method} ${shapeOf(pathOf(route))}`);
  return [...byPath.values()].filter(({ length }) => length > 1);
}

/** Whether the routes of one path belong to different endpoint instances of one file, and so can be told apart. */
function isOfInstances(same: readonly DevRoute[]): boolean {
  const instances = new Set(same.map(({ instance }) => instance));
  return (
    new Set(same.map(({ file }) => file)).size === 1 && !instances.has(null) && instances.size === same.length
  );
}

function ofInstance(route: DevRoute): DevRoute {
  return { ...route, prefix: `${route.prefix}/${encodeURIComponent(route.instance!)}` };
}

function routesOf(endpoint: Named, all: readonly Endpoint[]): DevRoute[] {
  const { name, kind, file } = endpoint;
  if (file === PROJECT_FILES.pyproject) return [commandRoute(endpoint)];
  if (kind === 'queue') return endpoint.functions.map((served) => queueRoute(endpoint, served, all));
  return endpoint.routes.map(({ method, path, instance, ...route }) => ({
    endpoint: name,
    kind,
    method,
    prefix: filePrefix(route.file),
    path,
    instance,
    function: `${route.module}:${route.function}`,
    file: route.file,
    line: route.line,
    description: route.description,
  }));
}

function commandRoute({ name, kind, file, line }: Named): DevRoute {
  const isQueue = kind === 'queue';
  return {
    endpoint: name,
    kind,
    method: isQueue ? 'POST' : 'GET',
    prefix: `/${name}`,
    path: isQueue ? null : EVERY_PATH,
    instance: null,
    function: null,
    file,
    line,
    description: null,
  };
}

function queueRoute(
  { name, file }: Named,
  served: Endpoint['functions'][number],
  all: readonly Endpoint[],
): DevRoute {
  const isAlone = all.filter((one) => one.kind === 'queue' && one.file === file).length === 1;
  return {
    endpoint: name,
    kind: 'queue',
    method: 'POST',
    prefix: queuePrefix(file, served.class ?? served.name, isAlone),
    path: null,
    instance: null,
    function: `${served.module}:${served.name}`,
    file,
    line: served.line,
    description: served.description,
  };
}
