/** A schema → a valid value, which an editor suggests for a first request. */
import type { Json, JsonSchema } from '../../contract/inputSchema.ts';

const REFERENCE = '#/$defs/';

/** Example texts by format. Python 3.10 does not accept `Z` in times. */
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00+00:00',
  date: '2026-01-31',
  time: '12:00:00+00:00',
  uuid: '00000000-0000-4000-8000-000000000000',
  decimal: '1.0',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

/** `within` lists the references that led here, so that a recursive model ends. */
export function exampleOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  within: readonly string[] = [],
): Json {
  const given = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const inner = (one: JsonSchema) => exampleOf(one, definitions, within);
  if (schema.$ref !== undefined) {
    const target = definitions[decodeURIComponent(schema.$ref.slice(REFERENCE.length))];
    if (!target || within.includes(schema.$ref)) return null;
    return exampleOf(target, definitions, [...within, schema.$ref]);
  }
  if (schema.anyOf) {
    const closes = (one: JsonSchema) => one.$ref !== undefined && within.includes(one.$ref);
    return inner(schema.anyOf.find((one) => one.type !== 'null' && !closes(one)) ?? { type: 'null' });
  }
  switch (schema.type) {
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'array':
      return itemsOf(schema, within).map(inner);
    case 'object':
      return objectOf(schema, within, inner);
    default:
      return textOf(schema);
  }
}

function numberIn(schema: JsonSchema): number {
  const { minimum = -Infinity, maximum = Infinity, multipleOf: step = 1 } = schema;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema;
  const middle = (Math.max(minimum, above) + Math.min(maximum, below)) / 2;
  const candidates = [step, Math.ceil(minimum / step) * step, maximum, above + step, below - step, middle];
  return candidates.find((one) => one >= minimum && one <= maximum && one > above && one < below) ?? step;
}

function textOf({ format, contentEncoding, minLength = 0, maxLength = Infinity }: JsonSchema): string {
  if (contentEncoding) return 'dGV4dA==';
  const text = (format === undefined ? undefined : TEXTS[format]) ?? 'text';
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

/** The smallest number of items that shows an item; none if an item would contain the list again. */
function itemsOf(
  { prefixItems, items, minItems = 1, maxItems = 1 }: JsonSchema,
  within: readonly string[],
): JsonSchema[] {
  if (prefixItems) return prefixItems;
  if (!items) return [];
  if (items.$ref !== undefined && within.includes(items.$ref)) return [];
  return Array.from({ length: Math.min(Math.max(minItems, 1), Math.max(maxItems, minItems)) }, () => items);
}

/** Leaves out optional properties that would contain the object again. */
function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  within: readonly string[],
  inner: (schema: JsonSchema) => Json,
): Json {
  const shown = Object.entries(properties).filter(
    ([name, { $ref }]) => required.includes(name) || $ref === undefined || !within.includes($ref),
  );
  return Object.fromEntries(shown.map(([name, schema]) => [name, inner(schema)]));
}
