import { areOneOf, routeShape } from '../declarations/alternatives.ts';
import { effectiveName, type RouteDeclaration } from '../declarations/Declaration.ts';
import { pathRange } from '../declarations/pathRange.ts';
import { otherPath } from '../fixes/routePath.ts';
import type { Finding, FoundText } from './Finding.ts';
import { namesIn } from './nameSites.ts';

/**
 * An endpoint has two routes with the same method and path, in one file or in several. Paths that differ only
 * in the names of their parameters match the same requests.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/items")
 * def items():
 *     """List the items."""
 *
 * @api.get("/items")
 * def all_items():
 *     """List all items."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/items")
 * def items():
 *     """List the items."""
 *
 * @api.get("/items/all")
 * def all_items():
 *     """List all items."""
 * ```
 */
export const duplicateRoute: Finding = {
  code: 'duplicate-route',
  severity: 'error',
  chapter: 'Routes',
  find(index) {
    const named = namesIn(index).map((name) => index.ask.named(name));
    // A declaration whose name is not known is a separate endpoint.
    const unnamed = index.declarations.filter((one) => effectiveName(one) === null).map((one) => [one]);
    return [...named, ...unnamed].flatMap((endpoint) => {
      const known = endpoint.flatMap(({ routes }) => routes).filter(({ path }) => path.state === 'known');
      return [...Map.groupBy(known, routeShape).values()].flatMap((same) => {
        const each = [...new Map(same.map((route) => [route.decorator, route])).values()];
        const sites = each.filter((one) => each.some((other) => other !== one && !areOneOf(other, one)));
        if (sites.length < 2) return [];
        return sites.filter(({ file }) => file === index.file).map((route) => duplicate(route, sites));
      });
    });
  },
  fixes: [otherPath],
};

function duplicate(route: RouteDeclaration, sites: readonly RouteDeclaration[]): FoundText {
  const own = written(route);
  const others = [...new Set(sites.map(written))].filter((other) => other !== own);
  return {
    file: route.file,
    range: pathRange(route),
    message:
      others.length === 0
        ? `The route ${own} is declared ${sites.length} times on one endpoint.`
        : `The route ${own} matches the same requests as ${others.join(' and ')} on one endpoint.`,
    related: sites
      .filter((other) => other !== route)
      .map((other) => ({
        file: other.file,
        range: pathRange(other),
        message:
          written(other) === own
            ? 'The same route is declared here.'
            : `${written(other)} matches the same requests.`,
      })),
    fix: 'Give one of them another path or method.',
  };
}

function written({ method, path }: RouteDeclaration): string {
  return `${method} ${path.state === 'known' ? path.value : ''}`;
}
