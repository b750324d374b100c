/** The user's input for one route: a text for each path and query parameter, and the JSON of the body. */
import type { InputSchema, Json, JsonSchema, ParameterSource } from '../../runtime/contract/inputSchema.ts';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import type { PickedFiles } from './files.ts';

export interface Draft {
  /** Keyed by parameter. An empty text is not sent. */
  fields: Record<string, string>;
  body: string;
  files?: PickedFiles;
}

/** In characters. A longer draft is not stored. */
const LONGEST_KEPT = 100_000;

export function isKept(draft: Draft): boolean {
  return JSON.stringify(draft).length <= LONGEST_KEPT;
}

/** A parameter with its own field. */
export interface Field {
  name: string;
  place: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
}

/** Identifies a route within a project. */
export function routeKey({ method, path }: Pick<PageRoute, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

export function fieldsOf({ input, path }: PageRoute): Field[] {
  const { schema, sources } = input ?? { schema: {} as JsonSchema, sources: {} as InputSchema['sources'] };
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]): Field[] => {
    const place = sources[name];
    if (place !== 'path' && place !== 'query') return [];
    return [{ name, place, required: place === 'path' || isRequired(schema, name), schema: property }];
  });
  const known = new Set(own.map(({ name }) => name));
  // Include path parameters that the function does not have: the URL needs them.
  const others = pathParameters(path)
    .filter((name) => !known.has(name))
    .map((name): Field => ({ name, place: 'path', required: true, schema: { type: 'string' } }));
  return [...own, ...others].sort((a, b) => (a.place === b.place ? 0 : a.place === 'path' ? -1 : 1));
}

/**
 * The schema of the edited body; for a queue-based function, of its `input`. Parameters picked as files are not
 * required in it. Null for a request without a body.
 */
export function bodySchema({ input, method }: PageRoute, files: PickedFiles = {}): JsonSchema | null {
  if (!input) return method === 'GET' || method === 'DELETE' ? null : { type: 'object' };
  const { schema } = input;
  const isBody = (name: string) => input.sources[name] === 'body';
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isBody(name));
  const hasOthers = Object.values(input.sources).some((place: ParameterSource) => place !== 'body');
  if (properties.length === 0 && (hasOthers || method === 'GET' || method === 'DELETE')) return null;
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => [name, name in files ? {} : property]),
    ),
    required: (schema.required ?? []).filter((name) => isBody(name) && !(name in files)),
  };
}

/** A draft with an example that the endpoint accepts. */
export function firstDraft(route: PageRoute): Draft {
  const { input } = route;
  const example = input?.example ?? {};
  const fields = fieldsOf(route).map(({ name, required }) => [
    name,
    required && example[name] !== undefined ? fieldText(example[name]) : '',
  ]);
  const body = Object.entries(example).filter(([name]) => input?.sources[name] === 'body');
  return {
    fields: Object.fromEntries(fields) as Record<string, string>,
    body: JSON.stringify(Object.fromEntries(body), null, 2),
  };
}

/** The text that a field shows for a value. */
export function fieldText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The names of a path's parameters, in order. */
function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}:]+)(?::[^}]*)?\}/g)].map(([, name]) => name!);
}

function isRequired({ required }: JsonSchema, name: string): boolean {
  return required?.includes(name) ?? false;
}
