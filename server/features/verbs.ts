/** The route decorators, for completion, signature help and hover. */
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

/** Their only parameter. */
export const PATH_TEXT =
  'Path of the route, beginning with `/`. `{name}` passes that part of the path to the parameter of that name.';
