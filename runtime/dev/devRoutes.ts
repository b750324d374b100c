/** Declared endpoints → the paths of the dev server: which request means which endpoint's function or route. */
import { type Endpoint, type EndpointKind, type RouteMethod } from '../contract/endpoint.ts';
import { PROJECT_FILES } from '../contract/names.ts';

/** What a queue-based endpoint answers to, below its path. A job's id follows those that end with `/`. */
export const QUEUE_OPERATIONS = {
  runsync: 'POST',
  run: 'POST',
  'status/': 'GET',
  'stream/': 'GET',
  'cancel/': 'POST',
} as const;

/** One thing that can be called. */
export interface DevRoute {
  /** Of a queue-based endpoint, POST of its `runsync`. */
  method: RouteMethod;
  /** What comes before `/runsync`, or before the declared path of a route. */
  prefix: string;
  /** The declared path of a route; null for a queue-based endpoint. */
  path: string | null;
  endpoint: string;
  kind: EndpointKind;
  /** The function's module and name, as `module:name`; null for a command. */
  function: string | null;
  file: string;
  /** From 1. */
  line: number;
  description: string | null;
}

/** Two or more things at one path: none of them is served there. */
export interface Clash {
  method: RouteMethod;
  path: string;
  routes: DevRoute[];
}

export interface DevRoutes {
  /** In order of file, then line. */
  routes: DevRoute[];
  clashes: Clash[];
}

/** The path that a client calls. */
export function pathOf({ prefix, path }: DevRoute): string {
  return path === null ? `${prefix}/runsync` : prefix + encoded(path);
}

/** As clients send it; its parameters stay in their braces. */
function encoded(path: string): string {
  return path.replace(/\{[^}]*\}|[^{]+/g, (part) => (part.startsWith('{') ? part : encodeURI(part)));
}

/** The paths of all endpoints whose names are known. */
export function devRoutes(endpoints: readonly Endpoint[]): DevRoutes {
  const routes = endpoints.flatMap((endpoint) =>
    endpoint.name === null ? [] : routesOf({ ...endpoint, name: endpoint.name }, endpoints),
  );
  const byPath = Map.groupBy(routes, (route) => `${route.method} ${shapeOf(pathOf(route))}`);
  const clashes = [...byPath.values()].flatMap((same) =>
    same.length > 1 ? [{ method: same[0]!.method, path: pathOf(same[0]!), routes: same }] : [],
  );
  return { routes, clashes };
}

/** Equal for paths that the same requests match: the names of parameters do not count. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^}:]*(:[^}]*)?\}/g, '{$1}');
}

type Named = Endpoint & { name: string };

function routesOf(endpoint: Named, all: readonly Endpoint[]): DevRoute[] {
  const { name, kind, file, line } = endpoint;
  const own = { endpoint: name, kind };
  if (file === PROJECT_FILES.pyproject)
    return [
      {
        ...own,
        method: 'POST',
        prefix: `/${name}`,
        path: null,
        function: null,
        file,
        line,
        description: null,
      },
    ];
  if (kind === 'queue') return endpoint.functions.map((served) => queueRoute(endpoint, served, all));
  return endpoint.routes.map((route) => {
    const { method, path, description } = route;
    const at = { file: route.file, line: route.line };
    const prefix = `/${stemOf(route.file)}`;
    return {
      ...own,
      method,
      prefix,
      path,
      function: `${route.module}:${route.function}`,
      ...at,
      description,
    };
  });
}

/** In a file with several queue-based functions the function's name follows, of a class the class's. */
function queueRoute(
  { name, file }: Named,
  served: Endpoint['functions'][number],
  all: readonly Endpoint[],
): DevRoute {
  const inFile = all.filter((one) => one.kind === 'queue' && one.file === file);
  const short = (served.class ?? served.name).split('.').at(-1)!;
  const prefix = `/${stemOf(file)}${inFile.length > 1 ? `/${short}` : ''}`;
  const { module, line, description } = served;
  const method = 'POST';
  const fn = `${module}:${served.name}`;
  return { endpoint: name, kind: 'queue', method, prefix, path: null, function: fn, file, line, description };
}

function stemOf(file: string): string {
  return file.replace(/\.py$/, '').split('/').map(encodeURIComponent).join('/');
}
