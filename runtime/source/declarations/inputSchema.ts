/** A function's parameters → the JSON Schema of its input, with an example. Code is read, never run. */
import type { RouteMethod } from '../../contract/endpoint.ts';
import type { InputSchema, JsonSchema, ParameterSource } from '../../contract/inputSchema.ts';
import { boundBy } from './boundBy.ts';
import type { ServedDefinition } from './Declaration.ts';
import { servedFunction } from './endpointDocument.ts';
import { exampleOf } from './inputSchemaExample.ts';
import { record } from './inputSchemaForms.ts';
import type { SchemaSource } from './inputSchemaTexts.ts';
import { SchemaReader } from './inputSchemaTypes.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Methods whose requests have no body. */
const WITHOUT_BODY: ReadonlySet<RouteMethod> = new Set(['GET', 'DELETE']);

/**
 * Describes the input of a served function; for a class, of its only public method.
 *
 * @param route - Null for a queue-based function, which takes all parameters from its body.
 */
export function inputSchema(
  source: SchemaSource,
  served: ServedDefinition,
  route: { method: RouteMethod; path: string } | null,
): InputSchema {
  const { definition, parameters } = servedFunction(served, source.names);
  const place = { file: served.file, scope: definition.scope };
  const reader = new SchemaReader(source);
  const properties = record();
  const required: string[] = [];
  const sources: [string, ParameterSource][] = [];
  const schema: JsonSchema = { $schema: DIALECT, type: 'object', title: definition.name };
  const description = definition.description ?? served.definition.description;
  if (description !== null) schema.description = description;
  for (const parameter of parameters) {
    // A request passes arguments by name, so it cannot pass `*args`.
    if (parameter.kind === 'var-positional' || parameter.kind === 'var-keyword') continue;
    // A request does not contain parameters that FastAPI fills in by itself.
    const bound = route && boundBy(reader.externalNames(parameter, place));
    if (bound === 'framework') continue;
    sources.push([parameter.name, bound ?? sourceOf(parameter.name, route)]);
    const field = reader.field(parameter, place);
    properties[parameter.name] = field.schema;
    if (field.required) required.push(parameter.name);
  }
  schema.properties = properties;
  if (required.length > 0) schema.required = required;
  schema.additionalProperties = parameters.some(({ kind }) => kind === 'var-keyword');
  if (Object.keys(reader.definitions).length > 0) schema.$defs = reader.definitions;
  const names = Object.keys(properties);
  return {
    schema,
    example: Object.fromEntries(
      names.map((name) => [name, exampleOf(properties[name]!, reader.definitions)]),
    ),
    sources: Object.fromEntries(sources),
  };
}

function sourceOf(name: string, route: { method: RouteMethod; path: string } | null): ParameterSource {
  if (route === null) return 'body';
  const inPath = [...route.path.matchAll(/\{([^}:]+)(?::[^}]*)?\}/g)].some(
    ([, parameter]) => parameter === name,
  );
  if (inPath) return 'path';
  return WITHOUT_BODY.has(route.method) ? 'query' : 'body';
}
