/** A route → its OpenAPI operations. */
import type { InputSchema, JsonSchema, ParameterSource } from '../../contract/inputSchema.ts';
import { type DevRoute, pathOf } from '../devRoutes.ts';
import type { DescribedRoute } from '../RouteInputs.ts';
import type { SchemaComponents } from './SchemaComponents.ts';
import { shared } from './sharedSchemas.ts';

export interface Operation {
  method: Lowercase<DevRoute['method']>;
  /** With parameters in the form `{name}`. */
  path: string;
  document: OperationDocument;
}

export interface ParameterDocument {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

interface OperationDocument {
  tags: string[];
  summary?: string;
  description?: string;
  parameters?: ParameterDocument[];
  requestBody?: object;
  responses: Record<string, object>;
  /** Empty if the operation needs no token. */
  security?: [];
}

const JOB_PARAMETER: ParameterDocument = {
  name: 'job',
  in: 'path',
  required: true,
  description: 'Id of the job, as returned by `run`.',
  schema: { type: 'string' },
};

/** All operations of a queue-based endpoint, or the one of a route. */
export function operationsOf(route: DescribedRoute, components: SchemaComponents): Operation[] {
  return route.path === null ? queueOperations(route, components) : [routeOperation(route, components)];
}

/** The operation of a path that is declared twice and therefore not served. */
export function clashOperation(routes: readonly DevRoute[]): Operation {
  const first = routes[0]!;
  const places = routes.map(({ endpoint, file, line }) => `\`${endpoint}\` (${file}:${line})`);
  return {
    method: lower(first.method),
    path: templateOf(pathOf(first)),
    document: {
      tags: [...new Set(routes.map(({ file }) => file))],
      summary: 'Not served: the path is declared twice',
      description: `Declared by ${places.join(' and ')}. Give one of them another path.`,
      ...parametersDocument(pathParameters(first.path ?? '', {})),
      responses: { 409: errorResponse('The path is declared twice.') },
    },
  };
}

function queueOperations(route: DescribedRoute, components: SchemaComponents): Operation[] {
  const { prefix, endpoint, description, file } = route;
  const about = (what: string) => ({
    tags: [file],
    summary: description ?? endpoint,
    description: what,
  });
  const requestBody = { required: true, content: json(jobRequest(route, components)) };
  const job = { parameters: [JOB_PARAMETER] };
  const started = response('The job is queued.', shared('Job'));
  const unknownJob = { 404: errorResponse('There is no such job.'), default: errorResponse(FAILED) };
  const refused = {
    400: errorResponse('The body is not JSON, or has no `input`.'),
    default: errorResponse(FAILED),
  };
  return [
    {
      method: 'post',
      path: `${prefix}/runsync`,
      document: {
        ...about('Runs the function and waits up to 60 seconds for its result.'),
        requestBody,
        responses: {
          200: response('The job has ended: it completed or failed.', {
            anyOf: [shared('FinishedJob'), shared('Job')],
          }),
          ...refused,
          504: errorResponse('The job has not ended yet.'),
        },
      },
    },
    {
      method: 'post',
      path: `${prefix}/run`,
      document: {
        ...about('Submits a job. Use `status` to get its result.'),
        requestBody,
        responses: { 200: started, ...refused },
      },
    },
    {
      method: 'get',
      path: `${prefix}/status/{job}`,
      document: {
        ...about('Returns the state of a job, and its result once it has ended.'),
        ...job,
        responses: {
          200: response('The job.', { anyOf: [shared('FinishedJob'), shared('Job')] }),
          ...unknownJob,
        },
      },
    },
    {
      method: 'get',
      path: `${prefix}/status-sync/{job}`,
      document: {
        ...about('Waits up to 60 seconds for a job to end.'),
        ...job,
        responses: {
          200: response('The job.', { anyOf: [shared('FinishedJob'), shared('Job')] }),
          ...unknownJob,
        },
      },
    },
    {
      method: 'get',
      path: `${prefix}/stream/{job}`,
      document: {
        ...about(
          'Returns what a generator has yielded since the last request. Each chunk is delivered once.',
        ),
        ...job,
        responses: { 200: response('The chunks, in order.', shared('JobStream')), ...unknownJob },
      },
    },
    {
      method: 'post',
      path: `${prefix}/cancel/{job}`,
      document: {
        ...about('Cancels a queued or running job.'),
        ...job,
        responses: { 200: response('The job.', shared('Job')), ...unknownJob },
      },
    },
  ];
}

const FAILED = 'The request was rejected, or no worker could handle it.';

function jobRequest({ input }: DescribedRoute, components: SchemaComponents): object {
  return {
    type: 'object',
    properties: {
      input: input ? components.hoist(input.schema) : { type: 'object' },
      webhook: { type: 'string', format: 'uri', description: 'Receives the result by POST.' },
      policy: shared('JobPolicy'),
    },
    required: ['input'],
    ...(input && { examples: [{ input: input.example }] }),
  };
}

function routeOperation(route: DescribedRoute, components: SchemaComponents): Operation {
  const { method, path, description, file, input } = route;
  const schema = components.hoist(input?.schema ?? { type: 'object' });
  const { properties = {}, required = [] } = schema;
  const sources = input?.sources ?? {};
  const query = namesFrom(sources, 'query').map((name) => ({
    ...parameter(name, 'query', properties[name]!),
    required: required.includes(name),
  }));
  return {
    method: lower(method),
    path: templateOf(pathOf(route)),
    document: {
      tags: [file],
      ...(description !== null && { summary: description }),
      ...parametersDocument([...pathParameters(path ?? '', properties), ...query]),
      ...bodyDocument(input, schema),
      responses: {
        200: response('What the function returned.', {}),
        422: errorResponse('A parameter is missing or has the wrong type.'),
        500: errorResponse('The function raised an exception.'),
        default: errorResponse(FAILED),
      },
    },
  };
}

/** The request body: one JSON object with its parameters. Empty if the request has no body. */
function bodyDocument(input: InputSchema | null, schema: JsonSchema): { requestBody?: object } {
  const names = namesFrom(input?.sources ?? {}, 'body');
  if (input === null || names.length === 0) return {};
  const required = names.filter((name) => schema.required?.includes(name));
  const body: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schema.properties![name]!])),
    ...(required.length > 0 && { required }),
    examples: [Object.fromEntries(names.map((name) => [name, input.example[name] ?? null]))],
  };
  return { requestBody: { required: required.length > 0, content: json(body) } };
}

/** Every parameter in the path, even one that the function does not have. */
function pathParameters(path: string, properties: Record<string, JsonSchema>): ParameterDocument[] {
  return parameterNames(path).map((name) => parameter(name, 'path', properties[name] ?? { type: 'string' }));
}

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^}:]+)(?::[^}]*)?\}/g)].map(([, name]) => name!);
}

function parameter(
  name: string,
  place: 'path' | 'query',
  { description, ...schema }: JsonSchema,
): ParameterDocument {
  return { name, in: place, required: true, ...(description !== undefined && { description }), schema };
}

function parametersDocument(parameters: ParameterDocument[]): { parameters?: ParameterDocument[] } {
  return parameters.length > 0 ? { parameters } : {};
}

function namesFrom(sources: Record<string, ParameterSource>, place: ParameterSource): string[] {
  return Object.keys(sources).filter((name) => sources[name] === place);
}

/** `{name:path}` is `{name}` in OpenAPI. */
function templateOf(path: string): string {
  return path.replace(/\{([^}:]+):[^}]*\}/g, '{$1}');
}

function response(description: string, schema: object): object {
  return { description, content: json(schema) };
}

function errorResponse(description: string): object {
  return response(description, shared('Error'));
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function lower(method: DevRoute['method']): Lowercase<DevRoute['method']> {
  return method.toLowerCase() as Lowercase<DevRoute['method']>;
}
