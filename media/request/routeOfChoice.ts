/** The user's choice → the route on the dev server. */
import { localRoutePath } from '../../runtime/contract/localPaths.ts';
import type { RouteChoice, RouteTarget } from '../../runtime/contract/panelMessages.ts';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { formatPath } from '../view/formats.ts';
import { routeKey } from './draft.ts';

/** The first route if nothing was chosen; null if the dev server does not serve the choice. */
export function routeOfChoice(routes: readonly PageRoute[], choice: RouteChoice | null): PageRoute | null {
  if (choice === null) return routes[0] ?? null;
  if ('key' in choice) return routes.find((route) => routeKey(route) === choice.key) ?? null;
  return routeOfTarget(routes, choice);
}

function routeOfTarget(
  routes: readonly PageRoute[],
  { endpoint, route, file }: RouteTarget,
): PageRoute | null {
  const own = routes.filter((one) => (endpoint === null ? one.file === file : one.endpoint === endpoint));
  if (!route) return own[0] ?? null;
  const { method, path } = route;
  const same = own.filter((one) => one.method === method);
  const exact = same.find((one) => formatPath(one.path) === localRoutePath(one.file, path));
  // If two instances declare the same path, their routes have the instance's name as a prefix.
  return exact ?? same.find((one) => formatPath(one.path).endsWith(path)) ?? null;
}
