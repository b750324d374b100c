/** What was chosen → the route of the dev server that it means. */
import { localRoutePath } from '../../runtime/contract/localPaths.ts';
import type { RouteChoice, RouteTarget } from '../../runtime/contract/panelMessages.ts';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { formatPath } from '../view/formats.ts';
import { routeKey } from './draft.ts';

/** The first route where nothing was chosen; null for what the dev server does not serve. */
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
  // The routes of two instances that declare one path have the instance's name before it.
  return exact ?? same.find((one) => formatPath(one.path).endsWith(path)) ?? null;
}
