/** A load-balanced instance to which no function is added: its endpoint would answer nothing. */
import { finding, type Rule } from './rule.ts';

export const noRoutes: Rule = (index) =>
  index.declarations.flatMap(({ form, file, guard, scope, call, served, routes }) => {
    if (form !== 'instance' || served.length > 0 || routes.length > 0) return [];
    // These have no worker at all, which their own finding says.
    const around = index.names.factsOf(file)?.scopes[scope];
    if (guard === 'main' || guard === 'type-checking' || around?.kind === 'function') return [];
    return [
      finding('no-routes', {
        file,
        range: call.calleeRange,
        message: 'This endpoint has no routes, so it would answer no request.',
        fix: 'Decorate a function with a route, for example @api.get("/hello") where api is this instance, or remove it.',
      }),
    ];
  });
