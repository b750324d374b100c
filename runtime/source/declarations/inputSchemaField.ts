/** The keywords of `Field(…)` and similar functions → the equivalent keywords of JSON Schema. */
import type { Json, JsonSchema } from '../../contract/inputSchema.ts';
import type { Call } from '../binder/Expression.ts';
import type { Constant } from './Constant.ts';

/** The options of a field, read from a call of `Field`. */
export interface FieldOptions {
  keywords: JsonSchema;
  required: boolean;
  /** The name in JSON; null if it is the field's own name. */
  alias: string | null;
  /** False for a field that is not a parameter of the constructor. */
  init: boolean;
}

/** Functions that describe a field, by their dotted names. */
export const DESCRIBES_FIELD =
  /^(?:pydantic|dataclasses|fastapi|sqlmodel)\.(?:.*\.)?(?:[Ff]ield|Query|Path|Body|Header|Form)$/;

const RENAMED: Readonly<Record<string, keyof JsonSchema>> = {
  title: 'title',
  description: 'description',
  examples: 'examples',
  ge: 'minimum',
  gt: 'exclusiveMinimum',
  le: 'maximum',
  lt: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
  pattern: 'pattern',
  regex: 'pattern',
};

/** Factories that return an empty default. */
const FACTORIES: Readonly<Record<string, Json>> = { list: [], set: [], tuple: [], dict: {}, str: '' };

/**
 * Reads a call.
 *
 * @param text - The call, as written.
 * @param of - The schema of the field, without the call.
 * @param valueOf - The JSON value of a constant expression.
 */
export function fieldOptions(
  call: Call,
  text: string,
  of: JsonSchema,
  valueOf: (expression: Call['arguments'][number]['value']) => Json | undefined,
): FieldOptions {
  const options: FieldOptions = { keywords: {}, required: true, alias: null, init: true };
  const { keywords } = options;
  const isOpen = /^[\w.]+\(\s*(?:default\s*=\s*)?\.\.\./.test(text);
  for (const [index, { keyword, spread, value: expression }] of call.arguments.entries()) {
    if (spread) continue;
    const value = valueOf(expression);
    const name = keyword ?? (index === 0 ? 'default' : '');
    if (name === 'default') {
      options.required = isOpen;
      if (value !== undefined) keywords.default = value;
    } else if (name === 'default_factory') {
      options.required = false;
      const factory = expression.kind === 'reference' ? expression.path.join('.') : '';
      if (Object.hasOwn(FACTORIES, factory)) keywords.default = FACTORIES[factory]!;
    } else if (name === 'init') {
      options.init = value !== false;
    } else if ((name === 'alias' || name === 'validation_alias') && typeof value === 'string') {
      options.alias = value;
    } else if ((name === 'min_length' || name === 'max_length') && typeof value === 'number') {
      const counted = isArray(of) ? 'Items' : 'Length';
      Object.assign(keywords, { [`${name.slice(0, 3)}${counted}`]: value });
    } else if (Object.hasOwn(RENAMED, name) && value !== undefined) {
      Object.assign(keywords, { [RENAMED[name]!]: value });
    }
  }
  return options;
}

/**
 * The JSON value of a constant; undefined if JSON cannot represent it or if it is known only when the code
 * runs.
 */
export function jsonOf(constant: Constant): Json | undefined {
  // A request passes an enum member as its value.
  if (constant.of) return jsonOf(constant.of.value);
  switch (constant.type) {
    case 'string':
    case 'boolean':
    case 'integer':
      return constant.value;
    case 'float':
      return Number.isFinite(constant.value) ? constant.value : undefined;
    case 'none':
      return null;
    case 'list':
    case 'tuple':
    case 'set': {
      const items = constant.items.map(jsonOf);
      return items.includes(undefined) ? undefined : (items as Json[]);
    }
    case 'dict': {
      const entries = constant.entries.map(({ key, value }) => [key, jsonOf(value)] as const);
      if (entries.some(([key, value]) => key.type !== 'string' || value === undefined)) return undefined;
      return Object.fromEntries(entries.map(([key, value]) => [(key as { value: string }).value, value!]));
    }
    default:
      return undefined;
  }
}

function isArray({ type, anyOf }: JsonSchema): boolean {
  return type === 'array' || (anyOf ?? []).some(isArray);
}
