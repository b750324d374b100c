/** A load-balanced instance to which no function is added: its endpoint would answer nothing. */
import { isRun } from '../binder/reach.ts';
import { variableOf } from '../declarations/variableOf.ts';
import { finding, type Rule } from './Finding.ts';

export const noRoutes: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const { form, file, guard, call, served, routes } = declaration;
    if (form !== 'instance' || served.length > 0 || routes.length > 0) return [];
    // These have no worker at all, which their own finding says.
    if (!isRun(guard)) return [];
    const name = variableOf(index.names, declaration);
    const example = name ? `@${name}.get("/hello")` : '@api.get("/hello") where api is this instance';
    return [
      finding('no-routes', {
        file,
        range: call.calleeRange,
        message: 'This endpoint has no routes, so it would answer no request.',
        fix: `Decorate a function with a route, for example ${example}, or remove it.`,
      }),
    ];
  });
