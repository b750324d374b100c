/** The text of a field → its values in the URL, and their problems. */
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { problemsIn } from '../schema/problemsIn.ts';
import { alternativesOf } from '../schema/resolve.ts';
import type { Field } from './draft.ts';

/** One text per occurrence of the parameter in the query. */
export function fieldValues(text: string, { schema }: Field, root: JsonSchema): string[] {
  if (text === '') return [];
  return isList(schema, root) ? listItems(text) : [text];
}

/** The problem with a value; null if the endpoint accepts it. */
export function fieldProblem(text: string, field: Field, root: JsonSchema): string | null {
  const { name, required, schema } = field;
  if (text === '') return required ? `"${name}" is required.` : null;
  const properties = { [name]: schema };
  const whole: JsonSchema = { type: 'object', properties, ...(root.$defs && { $defs: root.$defs }) };
  const json = isList(schema, root)
    ? `[${listItems(text).map((item) => scalarJson(item, itemsOf(schema, root), root))}]`
    : scalarJson(text, schema, root);
  return problemsIn(`{${JSON.stringify(name)}:${json}}`, whole)[0]?.message ?? null;
}

function scalarJson(text: string, schema: JsonSchema, root: JsonSchema): string {
  const isText = alternativesOf(schema, root).some(({ type }) => type === undefined || type === 'string');
  return !isText && isJson(text) ? text : JSON.stringify(text);
}

function isList(schema: JsonSchema, root: JsonSchema): boolean {
  return alternativesOf(schema, root).some(({ type }) => type === 'array');
}

function itemsOf(schema: JsonSchema, root: JsonSchema): JsonSchema {
  return alternativesOf(schema, root).find(({ type }) => type === 'array')?.items || {};
}

/** `["a", "b"]`, or `a, b`. */
function listItems(text: string): string[] {
  if (text.trimStart().startsWith('[') && isJson(text)) {
    const items = JSON.parse(text) as unknown[];
    return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  }
  return text.split(',').map((item) => item.trim());
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
