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
  /** What follows the endpoint's address: the path of the route, or an operation such as `/status/<job>`. */
  path: string;
}

export class RouteTable {
  readonly routes: readonly DevRoute[];
  readonly #clashes: readonly { clash: Clash; pattern: RegExp }[];
  readonly #patterns: ReadonlyMap<DevRoute, RegExp>;

  constructor({ routes, clashes }: DevRoutes) {
    this.routes = routes;
    this.#clashes = clashes.map((clash) => ({ clash, pattern: patternOf(decoded(clash.path)) }));
    this.#patterns = new Map(routes.map((route) => [route, patternOf(decoded(pathOf(route)))]));
  }

  /**
   * Finds what a request means.
   *
   * @param path - Without the query, as the client has written it.
   * @throws ToolkitError CONFLICT where two things have one path, NOT_FOUND naming what is near.
   */
  find(method: string, path: string): Match {
    const asked = method === 'HEAD' ? 'GET' : method;
    const known = decoded(path);
    const clash = this.#clashes.find((one) => one.clash.method === asked && one.pattern.test(known))?.clash;
    if (clash) throw conflict(clash);
    const match = this.#queueMatch(method, path) ?? this.#routeMatch(asked, path);
    const command = this.#commandMatch(path);
    if (match && command) throw conflict({ ...clashOf([match.route, command.route], []), path });
    return (
      match ?? command ?? this.#queueMatch(null, path) ?? this.#onlyEndpoint(path) ?? this.#none(method, path)
    );
  }

  /** @param method - Null for any: the platform refuses what an operation does not take. */
  #queueMatch(method: string | null, path: string): Match | null {
    for (const route of this.routes) {
      const own = belowPrefix(route, path);
      if (route.path !== null || own === null) continue;
      const operation = own.slice(1);
      for (const [name, verb] of Object.entries(QUEUE_OPERATIONS)) {
        const isMeant = name.endsWith('/') ? operation.startsWith(name) : operation === name;
        if (!isMeant || (method !== null && method !== verb)) continue;
        const same = this.routes.filter((one) => one.path === null && one.prefix === route.prefix);
        if (same.length > 1) throw conflict({ ...clashOf(same, []), path });
        return { route, path: own };
      }
    }
    return null;
  }

  /** A route of this method, else one of another method: the worker answers that as it does when deployed. */
  #routeMatch(method: string, path: string): Match | null {
    const same = this.#matching(path).filter((route) => route.path !== EVERY_PATH);
    const route = same.find((one) => one.method === method) ?? same[0];
    return route ? { route, path: belowPrefix(route, path)! } : null;
  }

  /** Where everything below a prefix is one endpoint's, that one answers what it does not serve as it does when deployed. */
  #onlyEndpoint(path: string): Match | null {
    const below = this.routes.filter((route) => belowPrefix(route, path) !== null);
    const longest = Math.max(...below.map(({ prefix }) => prefix.length));
    const [route, ...others] = below.filter(({ prefix }) => prefix.length === longest);
    if (!route || others.some(({ endpoint }) => endpoint !== route.endpoint)) return null;
    return { route, path: belowPrefix(route, path)! };
  }

  #commandMatch(path: string): Match | null {
    const route = this.#matching(path).find((one) => one.path === EVERY_PATH);
    return route ? { route, path: belowPrefix(route, path)! } : null;
  }

  #matching(path: string): DevRoute[] {
    const known = decoded(path);
    return this.routes.filter((route) => route.path !== null && this.#patterns.get(route)!.test(known));
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

/** The rest of a path after a route's prefix, undecoded; null if the path does not begin with the prefix. */
function belowPrefix({ prefix }: DevRoute, path: string): string | null {
  const depth = prefix.split('/').length;
  const segments = path.split('/');
  const isBelow = segments.length > depth && decoded(segments.slice(0, depth).join('/')) === decoded(prefix);
  return isBelow ? `/${segments.slice(depth).join('/')}` : null;
}

/** A path as a worker compares it. A slash that is part of a segment stays encoded. */
function decoded(path: string): string {
  return path.replace(/(?:%(?!2f)[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped; // No text, so it is the name of nothing that is declared.
    }
  });
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
