/** `--route` → the route of a load-balanced endpoint that `call` asks. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';

/**
 * The route that was named, or the only one.
 *
 * @throws ToolkitError USAGE when none can be told, ROUTE_NOT_FOUND for one that is not there.
 */
export function chooseRoute(
  endpoint: RemoteEndpoint,
  wanted: string | null,
): { method: string; path: string } {
  const { routes } = endpoint;
  // A command answers what it will: only it knows its routes.
  const isOpen = routes.length === 0;
  const chosen = wanted === null && routes.length === 1 ? routes[0] : wanted;
  const match = chosen && /^([A-Za-z]+)\s+(\/\S*)$/.exec(chosen.trim());
  const hint = isOpen
    ? 'Write for example --route "GET /".'
    : `Its routes: ${routes.map((route) => `--route "${route}"`).join(', ')}.`;
  if (!match)
    throw new ToolkitError(
      'USAGE',
      wanted === null
        ? `"${endpoint.name}" has ${isOpen ? 'a command that knows its routes' : `${routes.length} routes`}; say which.`
        : `--route "${wanted}" is not a METHOD and a path.`,
      { hint },
    );
  const method = match[1]!.toUpperCase();
  const path = match[2]!;
  if (isOpen || routes.some((route) => fits(route, method, path))) return { method, path };
  throw new ToolkitError('ROUTE_NOT_FOUND', `"${endpoint.name}" has no route ${method} ${path}.`, { hint });
}

/** A path may be typed as it is declared, or with values in place of its parameters. */
function fits(route: string, method: string, path: string): boolean {
  const [declaredMethod, declaredPath = ''] = route.split(' ');
  if (declaredMethod !== method) return false;
  const pattern = declaredPath
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return part.endsWith(':path}') ? '.+' : '[^/]+';
    })
    .join('');
  return new RegExp(`^${pattern}$`).test(path.split('?')[0]!);
}
