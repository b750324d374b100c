/** A request's method and path → the endpoint that it means, and the path that the endpoint knows. */
import { ToolkitError } from '../../contract/errors.ts';
import { nearest } from '../../source/declarations/nearest.ts';
import {
  type Clash,
  clashOf,
  type DevRoute,
  type DevRoutes,
  EVERY_PATH,
  pathOf,
  QUEUE_OPERATIONS,
  shapeOf,
} from '../devRoutes.ts';

/** Where a request goes. */
export interface Match {
  route: DevRoute;
  /** For a queue-based endpoint the operation, such as `runsync` or `status/<job>`; else the path of the request. */
  path: string;
}

export class RouteTable {
  readonly routes: readonly DevRoute[];
  readonly #clashes: readonly { clash: Clash; pattern: RegExp }[];
  readonly #patterns: ReadonlyMap<DevRoute, RegExp>;

  constructor({ routes, clashes }: DevRoutes) {
    this.routes = routes;
    this.#clashes = clashes.map((clash) => ({ clash, pattern: patternOf(clash.path) }));
    this.#patterns = new Map(routes.map((route) => [route, patternOf(pathOf(route))]));
  }

  /**
   * Finds what a request means.
   *
   * @param path - Without the query.
   * @throws ToolkitError CONFLICT where two things have one path, METHOD_NOT_ALLOWED, NOT_FOUND naming what is near.
   */
  find(method: string, path: string): Match {
    const asked = method === 'HEAD' ? 'GET' : method;
    const clash = this.#clashes.find((one) => one.clash.method === asked && one.pattern.test(path))?.clash;
    if (clash) throw conflict(clash);
    const match = this.#queueMatch(method, path) ?? this.#routeMatch(asked, path);
    const command = this.#commandMatch(path);
    if (match && command) throw conflict({ ...clashOf([match.route, command.route], []), path });
    return match ?? command ?? this.#none(method, path);
  }

  #queueMatch(method: string, path: string): Match | null {
    for (const route of this.routes) {
      if (route.path !== null || !path.startsWith(`${route.prefix}/`)) continue;
      const operation = path.slice(route.prefix.length + 1);
      for (const [name, verb] of Object.entries(QUEUE_OPERATIONS)) {
        const isMeant = name.endsWith('/') ? operation.startsWith(name) : operation === name;
        if (!isMeant) continue;
        const same = this.routes.filter((one) => one.path === null && one.prefix === route.prefix);
        if (same.length > 1) throw conflict({ ...clashOf(same, []), path });
        if (verb !== method) throw wrongMethod(method, path, [verb]);
        return { route, path: operation };
      }
    }
    return null;
  }

  /** A route of this method, else one of another method: the worker answers that as it does when deployed. */
  #routeMatch(method: string, path: string): Match | null {
    const same = this.#matching(path).filter((route) => route.path !== EVERY_PATH);
    const route = same.find((one) => one.method === method) ?? same[0];
    return route ? { route, path: path.slice(route.prefix.length) } : null;
  }

  #commandMatch(path: string): Match | null {
    const route = this.#matching(path).find((one) => one.path === EVERY_PATH);
    return route ? { route, path: path.slice(route.prefix.length) } : null;
  }

  #matching(path: string): DevRoute[] {
    return this.routes.filter((route) => route.path !== null && this.#patterns.get(route)!.test(path));
  }

  #none(method: string, path: string): never {
    const paths = this.routes.map((route) => `${route.method} ${pathOf(route)}`);
    const near = nearest(`${method} ${path}`, paths) ?? paths[0];
    throw new ToolkitError('NOT_FOUND', `Nothing is served at ${method} ${path}.`, {
      hint: near ? `Did you mean ${near}? GET / lists every path.` : 'Declare an @Endpoint: none was found.',
    });
  }
}

/** Matches the paths of requests; `{name}` is one segment, `{name:path}` any number of them. */
function patternOf(path: string): RegExp {
  const parts = shapeOf(path)
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return part === '{:path}' ? '.*' : '[^/]+';
    });
  return new RegExp(`^${parts.join('')}$`);
}

function conflict({ method, path, routes, instead }: Clash): ToolkitError {
  const places = routes.map(({ endpoint, file, line }) => `"${endpoint}" (${file}:${line})`).join(' and ');
  return new ToolkitError('CONFLICT', `${method} ${path} means both ${places}.`, {
    hint:
      instead.length > 0
        ? `Call ${instead.join(' or ')}.`
        : 'Give one of them another path, or rename a file.',
  });
}

function wrongMethod(method: string, path: string, allowed: readonly string[]): ToolkitError {
  return new ToolkitError('METHOD_NOT_ALLOWED', `${path} does not take ${method}.`, {
    hint: `Send ${allowed.join(' or ')}.`,
  });
}
