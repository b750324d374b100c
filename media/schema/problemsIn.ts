/** A JSON text and the schema of its value → its problems with their positions. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { alternativesOf, typeText } from './resolve.ts';

export interface Problem {
  /** Offsets in the text. */
  from: number;
  to: number;
  message: string;
  /** Whether the text is not JSON, so that it cannot be sent. */
  isSyntax: boolean;
}

/** The first syntax error, or else all values that the schema does not allow. */
export function problemsIn(text: string, schema: JsonSchema): Problem[] {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  if (errors.length > 0 || !tree) return [syntaxProblem(text, errors[0])];
  return checked(tree, schema, { root: schema, name: 'The input' });
}

interface Context {
  /** The schema that references point into. */
  root: JsonSchema;
  /** Name of the value in messages. */
  name: string;
}

function checked(node: Node, schema: JsonSchema, context: Context): Problem[] {
  const { root, name } = context;
  const results = alternativesOf(schema, root).map((one) => ({
    fits: isOfType(node, one),
    problems: checkedAs(node, one, context),
  }));
  if (results.some(({ problems }) => problems.length === 0)) return [];
  const near = results.filter(({ fits }) => fits).sort((a, b) => a.problems.length - b.problems.length)[0];
  return near?.problems ?? [problem(node, `${name} must be ${withArticle(typeText(schema, root))}.`)];
}

/** Checks against a schema without references and alternatives. */
function checkedAs(node: Node, schema: JsonSchema, context: Context): Problem[] {
  const { name, root } = context;
  if (!isOfType(node, schema))
    return [problem(node, `${name} must be ${withArticle(typeText(schema, root))}.`)];
  if (schema.enum && !schema.enum.some((one) => JSON.stringify(one) === JSON.stringify(node.value)))
    return [
      problem(node, `${name} must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}.`),
    ];
  switch (node.type) {
    case 'number':
      return numberProblems(node, schema, name);
    case 'string':
      return stringProblems(node, schema, name);
    case 'array':
      return arrayProblems(node, schema, context);
    case 'object':
      return objectProblems(node, schema, context);
    default:
      return [];
  }
}

function isOfType({ type, value }: Node, schema: JsonSchema): boolean {
  if (schema.type === undefined) return true;
  // For Python, 3.0 is a float; pydantic also accepts it as an integer.
  if (schema.type === 'integer') return type === 'number' && Number.isInteger(value);
  return type === schema.type;
}

function numberProblems(node: Node, schema: JsonSchema, name: string): Problem[] {
  const value = node.value as number;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const broken =
    (minimum !== undefined && value < minimum && `at least ${minimum}`) ||
    (maximum !== undefined && value > maximum && `at most ${maximum}`) ||
    (exclusiveMinimum !== undefined && value <= exclusiveMinimum && `above ${exclusiveMinimum}`) ||
    (exclusiveMaximum !== undefined && value >= exclusiveMaximum && `below ${exclusiveMaximum}`) ||
    (multipleOf !== undefined && !Number.isInteger(value / multipleOf) && `a multiple of ${multipleOf}`);
  return broken ? [problem(node, `${name} must be ${broken}.`)] : [];
}

function stringProblems(node: Node, schema: JsonSchema, name: string): Problem[] {
  const text = node.value as string;
  const { minLength, maxLength, pattern, contentEncoding } = schema;
  // Python counts code points.
  const { length } = [...text];
  const broken =
    (minLength !== undefined && length < minLength && `have at least ${characters(minLength)}`) ||
    (maxLength !== undefined && length > maxLength && `have at most ${characters(maxLength)}`) ||
    (pattern !== undefined && !matches(text, pattern) && `match ${pattern}`) ||
    (contentEncoding === 'base64' && !/^[A-Za-z0-9+/]*={0,2}$/.test(text) && 'be base64 text');
  return broken ? [problem(node, `${name} must ${broken}.`)] : [];
}

function arrayProblems(node: Node, schema: JsonSchema, context: Context): Problem[] {
  const items = node.children ?? [];
  const { minItems, maxItems, prefixItems = [] } = schema;
  const { name, root } = context;
  if (minItems !== undefined && items.length < minItems)
    return [problem(node, `${name} must have at least ${minItems} items.`)];
  if (maxItems !== undefined && items.length > maxItems)
    return [problem(node, `${name} must have at most ${maxItems} items.`)];
  return items.flatMap((item, at) => {
    const own = prefixItems[at] ?? schema.items;
    return own ? checked(item, own, { root, name: `Item ${at + 1} of ${name}` }) : [];
  });
}

function objectProblems(node: Node, schema: JsonSchema, context: Context): Problem[] {
  const { root, name } = context;
  const { properties = {}, required = [], additionalProperties } = schema;
  const found = (node.children ?? []).flatMap((property): Problem[] => {
    const [key, value] = property.children ?? [];
    if (!key || !value) return [];
    const inner = { root, name: `"${key.value}"` };
    const own = Object.hasOwn(properties, key.value as string) ? properties[key.value as string] : undefined;
    if (own) return checked(value, own, inner);
    if (typeof additionalProperties === 'object') return checked(value, additionalProperties, inner);
    return additionalProperties === false ? [problem(key, `"${key.value}" is not expected here.`)] : [];
  });
  const given = new Set((node.children ?? []).map(({ children }) => children?.[0]?.value as string));
  const missing = required.filter((one) => !given.has(one));
  if (missing.length === 0) return found;
  const listed = missing.map((one) => `"${one}"`).join(', ');
  const start = { ...node, length: 1 };
  return [problem(start, `${name} is missing ${listed}.`), ...found];
}

function problem({ offset, length }: Pick<Node, 'offset' | 'length'>, message: string): Problem {
  return { from: offset, to: offset + length, message, isSyntax: false };
}

function syntaxProblem(text: string, error: ParseError | undefined): Problem {
  if (text.trim() === '') return { from: 0, to: text.length, message: 'Enter a JSON value.', isSyntax: true };
  const from = Math.min(error?.offset ?? 0, text.length);
  const to = Math.min(from + Math.max(error?.length ?? 1, 1), text.length);
  return {
    from,
    to,
    message: SYNTAX_MESSAGES[error?.error ?? 0] ?? 'This is not valid JSON.',
    isSyntax: true,
  };
}

/** Keyed by jsonc-parser's `ParseErrorCode`, a const enum that does not exist at run time. */
const SYNTAX_MESSAGES: Record<number, string> = {
  1: 'This is not a JSON value.',
  2: 'This is not a valid JSON number.',
  3: 'Expected a name in double quotes.',
  4: 'Expected a value.',
  5: 'Expected a colon.',
  6: 'Expected a comma.',
  7: 'The closing brace is missing.',
  8: 'The closing bracket is missing.',
  9: 'Unexpected text after the value.',
  10: 'JSON does not allow comments.',
  11: 'This comment is not closed.',
  12: 'The closing double quote is missing.',
  13: 'This number is incomplete.',
  14: 'This Unicode escape is invalid.',
  15: 'This escape is invalid in JSON.',
  16: 'This character must be escaped.',
};

function withArticle(type: string): string {
  if (/ |^any$|^null$|^[A-Z"]/.test(type)) return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** A Python pattern that JavaScript does not understand counts as matched: the endpoint checks it. */
function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
