/** The route decorators as completion, signature help and hover describe them. */
import type { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';

const QUERY = 'parameters come from path and query';
const BODY = 'parameters come from path and JSON body';

export const VERB_TEXTS: Record<(typeof ROUTE_VERBS)[number], string> = {
  get: `Serves the function at GET \`path\`; ${QUERY}.`,
  post: `Serves the function at POST \`path\`; ${BODY}.`,
  put: `Serves the function at PUT \`path\`; ${BODY}.`,
  patch: `Serves the function at PATCH \`path\`; ${BODY}.`,
  delete: `Serves the function at DELETE \`path\`; ${QUERY}.`,
};

/** The one parameter of each. */
export const PATH_TEXT =
  'Path of the route, beginning with `/`. `{name}` takes a part of it for the parameter of that name.';
