import { isRun } from '../binder/reach.ts';
import { variableOf } from '../declarations/variableOf.ts';
import type { Finding } from './Finding.ts';

/**
 * A load-balanced endpoint has no routes, so it would not respond to any request.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 * ```
 */
export const noRoutes: Finding = {
  code: 'no-routes',
  severity: 'warning',
  chapter: 'Routes',
  *find({ declarations, names }) {
    for (const declaration of declarations) {
      const { form, file, guard, call, served, routes } = declaration;
      if (form !== 'instance' || served.length > 0 || routes.length > 0) continue;
      // No worker creates these; another finding reports them.
      if (!isRun(guard)) continue;
      const name = variableOf(names, declaration);
      const example = name ? `@${name}.get("/hello")` : '@api.get("/hello") where api is this endpoint';
      yield {
        file,
        range: call.calleeRange,
        message: 'This endpoint has no routes, so it would not respond to any request.',
        fix: `Decorate a function with a route, for example ${example}, or remove the endpoint.`,
      };
    }
  },
};
