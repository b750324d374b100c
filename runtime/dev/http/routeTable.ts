/** A request's method and path → its endpoint, and the path on that endpoint. */
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

/** The route of a request. */
export interface Match {
  route: DevRoute;
  /** The path below the endpoint's address: that of the route, or an operation such as `/status/<job>`. */
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
   * Finds the route of a request.
   *
   * @param path - Without the query, exactly as the client sent it.
   * @throws ToolkitError CONFLICT if several routes have this path, NOT_FOUND with a similar path.
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

  /** @param method - Null for any: the platform rejects methods that an operation does not accept. */
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

  /** A route with this method, else one with another method, which the worker rejects as it does when deployed. */
  #routeMatch(method: string, path: string): Match | null {
    const same = this.#matching(path).filter((route) => route.path !== EVERY_PATH);
    const route = same.find((one) => one.method === method) ?? same[0];
    return route ? { route, path: belowPrefix(route, path)! } : null;
  }

  /** If everything below a prefix belongs to one endpoint, it also gets unknown paths. The response is that of the deployed endpoint. */
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
    throw new ToolkitError('NOT_FOUND', `No route matches ${method} ${path}.`, {
      hint: near ? `Did you mean ${near}? GET / lists all paths.` : 'No @Endpoint was found: declare one.',
    });
  }
}

/** A pattern for request paths. `{name}` matches one segment, `{name:path}` any number. */
function patternOf(path: string): RegExp {
  const parts = shapeOf(path)
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return part === '{:path}' ? '.*' : '[^/]+';
    });
  return new RegExp(`^${parts.join('')}$`);
}

/** The rest of a path after a route's prefix, undecoded; null if the path does not start with the prefix. */
function belowPrefix({ prefix }: DevRoute, path: string): string | null {
  const depth = prefix.split('/').length;
  const segments = path.split('/');
  const isBelow = segments.length > depth && decoded(segments.slice(0, depth).join('/')) === decoded(prefix);
  return isBelow ? `/${segments.slice(depth).join('/')}` : null;
}

/** A path in the form that workers compare. An encoded slash is part of a segment and stays encoded. */
function decoded(path: string): string {
  return path.replace(/(?:%(?!2f)[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped; // Not valid UTF-8, so it cannot match anything declared.
    }
  });
}

function conflict({ method, path, routes, instead }: Clash): ToolkitError {
  const places = routes.map(({ endpoint, file, line }) => `"${endpoint}" (${file}:${line})`).join(' and ');
  return new ToolkitError('CONFLICT', `${method} ${path} is declared by both ${places}.`, {
    hint:
      instead.length > 0
        ? `Call ${instead.join(' or ')}.`
        : 'Give one of them another path, or rename a file.',
  });
}
