/** `--route` → the route of a load-balanced endpoint that `call` sends its request to. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';

/**
 * The requested route, or the only one if none was requested.
 *
 * @throws ToolkitError USAGE if the choice is ambiguous or malformed, ROUTE_NOT_FOUND if there is no such route.
 */
export function chooseRoute(
  endpoint: RemoteEndpoint,
  wanted: string | null,
): { method: string; path: string } {
  const { routes } = endpoint;
  // An endpoint that runs a command does not declare routes: only the command knows them.
  const isOpen = routes.length === 0;
  const chosen = wanted === null && routes.length === 1 ? routes[0] : wanted;
  const match = chosen && /^([A-Za-z]+)\s+(\/\S*)$/.exec(chosen.trim());
  const hint = isOpen
    ? 'For example: --route "GET /".'
    : `Its routes: ${routes.map((route) => `--route "${route}"`).join(', ')}.`;
  if (!match) {
    const choice = isOpen
      ? `"${endpoint.name}" runs a command, so its routes are not known: choose one with --route.`
      : `"${endpoint.name}" has ${routes.length} routes: choose one with --route.`;
    const malformed = `--route must be an HTTP method and a path, not "${wanted}".`;
    throw new ToolkitError('USAGE', wanted === null ? choice : malformed, { hint });
  }
  const method = match[1]!.toUpperCase();
  const path = match[2]!;
  if (isOpen || routes.some((route) => fits(route, method, path))) return { method, path };
  throw new ToolkitError('ROUTE_NOT_FOUND', `"${endpoint.name}" has no route ${method} ${path}.`, { hint });
}

/** Accepts a path as declared, or with values in place of its parameters. */
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
