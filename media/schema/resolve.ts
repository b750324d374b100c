/** Navigates an input schema: resolves references, and describes the types of values. */
import type { Json, JsonSchema } from '../../runtime/contract/inputSchema.ts';

/** Follows references, which point to the definitions of the root schema. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema;
  for (let depth = 0; found.$ref !== undefined && depth < 20; depth += 1) {
    const name = decodeURIComponent(found.$ref.slice('#/$defs/'.length));
    found = root.$defs?.[name] ?? {};
  }
  return found;
}

/** The schemas of which a value must satisfy one. */
export function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { anyOf, ...resolved } = resolve(schema, root);
  return anyOf ? anyOf.flatMap((one) => alternativesOf(one, root)) : [resolved];
}

/** The possible schemas of the value at a path. */
export function schemasAt(path: readonly (string | number)[], root: JsonSchema): JsonSchema[] {
  let found = alternativesOf(root, root);
  for (const step of path) found = found.flatMap((one) => stepInto(one, step, root));
  return found;
}

function stepInto(schema: JsonSchema, step: string | number, root: JsonSchema): JsonSchema[] {
  if (typeof step === 'number') {
    const item = schema.prefixItems?.[step] ?? schema.items;
    return item ? alternativesOf(item, root) : [];
  }
  const own = schema.properties?.[step];
  if (own) return alternativesOf(own, root);
  const { additionalProperties } = schema;
  return typeof additionalProperties === 'object' ? alternativesOf(additionalProperties, root) : [];
}

/** The type of a value in words, as in `integer`, `list of string`, `Book or null`. */
export function typeText(schema: JsonSchema, root: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const { title } = resolve(schema, root);
    return title ?? decodeURIComponent(schema.$ref.split('/').at(-1)!);
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeText(one, root)))].join(' or ');
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.contentEncoding === 'base64') return 'base64 text';
  if (schema.type === 'array') return schema.items ? `list of ${typeText(schema.items, root)}` : 'list';
  if (schema.type === 'string' && schema.format) return schema.format;
  return schema.type ?? 'any';
}

/** The values that a schema lists: of an enumeration, a boolean, or null; else its default and examples. */
export function namedValues(schema: JsonSchema): Json[] {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'null') return [null];
  const given = [...(schema.default === undefined ? [] : [schema.default]), ...(schema.examples ?? [])];
  return given.filter((one) => typeof one !== 'object' || one === null);
}
