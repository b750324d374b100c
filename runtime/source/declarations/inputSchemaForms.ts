/** The schemas of Python's own types, and of types that are composed of other types. */
import type { Json, JsonSchema } from '../../contract/inputSchema.ts';

export const NULL: JsonSchema = { type: 'null' };

/** By name in Python. Names in `typing`, `collections.abc` and `builtins` are without their package. */
export const SCALARS: Readonly<Record<string, JsonSchema>> = {
  int: { type: 'integer' },
  float: { type: 'number' },
  str: { type: 'string' },
  bool: { type: 'boolean' },
  bytes: { type: 'string', contentEncoding: 'base64' },
  bytearray: { type: 'string', contentEncoding: 'base64' },
  None: NULL,
  NoneType: NULL,
  'datetime.datetime': { type: 'string', format: 'date-time' },
  'datetime.date': { type: 'string', format: 'date' },
  'datetime.time': { type: 'string', format: 'time' },
  'uuid.UUID': { type: 'string', format: 'uuid' },
  'decimal.Decimal': { type: 'string', format: 'decimal' },
  'pydantic.EmailStr': { type: 'string', format: 'email' },
  'pydantic.AnyUrl': { type: 'string', format: 'uri' },
  'pydantic.HttpUrl': { type: 'string', format: 'uri' },
  'pydantic.PositiveInt': { type: 'integer', exclusiveMinimum: 0 },
  'pydantic.NonNegativeInt': { type: 'integer', minimum: 0 },
  'pydantic.PositiveFloat': { type: 'number', exclusiveMinimum: 0 },
  'pydantic.NonNegativeFloat': { type: 'number', minimum: 0 },
};

/** A record without a prototype, because its keys are names of the project, which may be `__proto__`. */
export function record(): Record<string, JsonSchema> {
  return Object.create(null) as Record<string, JsonSchema>;
}

export function isOpen(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

export function itemsOf([item]: readonly JsonSchema[]): JsonSchema {
  return item && !isOpen(item) ? { items: item } : {};
}

export function tupleOf(items: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'array',
    prefixItems: [...items],
    items: false,
    minItems: items.length,
    maxItems: items.length,
  };
}

export function union(types: readonly JsonSchema[]): JsonSchema {
  const choices = types.flatMap((type) =>
    type.anyOf && Object.keys(type).length === 1 ? type.anyOf : [type],
  );
  if (choices.some(isOpen)) return {};
  const distinct = [...new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** A schema for one of some values; open if one of the values is not known. */
export function choiceOf(choices: readonly (Json | undefined)[]): JsonSchema {
  const known = choices.filter((value) => value !== undefined && typeof value !== 'object') as Json[];
  if (choices.includes(null)) known.push(null);
  if (known.length !== choices.length || known.length === 0) return {};
  const types = new Set(known.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
  const [type] = types;
  return types.size === 1 && type !== 'object'
    ? { type: type as 'string' | 'integer' | 'number' | 'boolean', enum: known }
    : { enum: known };
}
