/** All paths that dev serves → one OpenAPI 3.1 document, grouped by file. */
import { type Clash, shapeOf } from '../devRoutes.ts';
import type { DescribedRoute } from '../RouteInputs.ts';
import {
  clashOperation,
  type Operation,
  operationsOf,
  type ParameterDocument,
  parameterNames,
} from './operations.ts';
import { SchemaComponents } from './SchemaComponents.ts';
import { SHARED_SCHEMAS, shared } from './sharedSchemas.ts';

interface DevApi {
  /** Name of the app. */
  app: string;
  /** Version of the toolkit. */
  version: string;
  routes: readonly DescribedRoute[];
  clashes: readonly Clash[];
  /** Whether requests need this run's token. */
  needsToken: boolean;
}

/** Tag of the paths that dev handles itself. */
const OWN_TAG = 'dev server';

export function openapiDocument({ app, version, routes, clashes, needsToken }: DevApi): object {
  const components = new SchemaComponents(SHARED_SCHEMAS);
  const operations = [
    HEALTH,
    ...clashes.map((clash) => clashOperation(clash.routes)),
    ...routes.flatMap((route) => operationsOf(route, components)),
  ];
  const files = new Set(routes.map(({ file }) => file));
  return {
    openapi: '3.1.0',
    info: { title: app, version, description: 'The paths of this project served by `toolkit dev`.' },
    servers: [{ url: '/' }],
    tags: [...files, OWN_TAG].map((name) => ({ name })),
    ...(needsToken && { security: [{ token: [] }] }),
    paths: pathsOf(operations),
    components: {
      schemas: components.schemas,
      ...(needsToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
  };
}

const HEALTH: Operation = {
  method: 'get',
  path: '/',
  document: {
    tags: [OWN_TAG],
    summary: 'Health of the dev server and state of each endpoint',
    security: [],
    responses: {
      200: {
        description: 'The dev server is running.',
        content: { 'application/json': { schema: shared('Health') } },
      },
    },
  },
};

/** The operations grouped by path. Of two with the same method and path, the first is documented. */
function pathsOf(operations: readonly Operation[]): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  const ids = new Set<string>();
  for (const sameShape of Map.groupBy(operations, ({ path }) => shapeOf(path)).values()) {
    // OpenAPI treats `/items/{id}` and `/items/{item}` as one path, so its methods must share parameter names.
    const { path } = sameShape[0]!;
    const item: Record<string, object> = {};
    for (const { method, path: own, document } of sameShape) {
      if (item[method]) continue;
      const parameters = document.parameters?.map((one) => renamed(one, own, path));
      item[method] = { operationId: idOf(method, path, ids), ...document, ...(parameters && { parameters }) };
    }
    paths[path] = item;
  }
  return paths;
}

/** The parameter, renamed to match the shared path. */
function renamed(parameter: ParameterDocument, own: string, path: string): ParameterDocument {
  if (parameter.in !== 'path') return parameter;
  return { ...parameter, name: parameterNames(path)[parameterNames(own).indexOf(parameter.name)]! };
}

/** An unused operation id that suits generated clients, such as `post_worker_runsync`. */
function idOf(method: string, path: string, taken: Set<string>): string {
  const name = [method, ...path.split(/[^\p{L}\p{N}]+/u).filter(Boolean)].join('_');
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  taken.add(free);
  return free;
}
