/** Completion in JSON text from the schema of its value: property names, and values listed in a schema. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { findNodeAtLocation, getLocation, type Node, parseTree } from 'jsonc-parser';
import type { Json, JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { namedValues, resolve, schemasAt, typeText } from '../schema/resolve.ts';

export function completeJson(
  { pos, explicit, state }: CompletionContext,
  root: JsonSchema,
): CompletionResult | null {
  const text = state.doc.toString();
  const { path, isAtPropertyKey, previousNode } = getLocation(text, pos);
  const token = tokenAround(text, pos, previousNode);
  if (!explicit && token.from === token.to) return null;
  const options = isAtPropertyKey
    ? propertyOptions(text, { path: path.slice(0, -1), token }, root)
    : schemasAt(path, root).flatMap((schema) => valueOptions(schema, root));
  if (options.length === 0) return null;
  // In the order of the signature. Options are matched against the text before the cursor; the rest of the token is
  // replaced too.
  const rest = token.to - pos;
  return {
    from: token.from,
    options: unique(options).map((option, at) => ({ ...replacing(option, rest), boost: -Math.min(at, 99) })),
  };
}

/** The option, extended to also replace `rest` characters after the cursor. */
function replacing(option: Completion, rest: number): Completion {
  const text = typeof option.apply === 'string' ? option.apply : option.label;
  const apply = (view: EditorView, _option: Completion, from: number, to: number) =>
    view.dispatch(insertCompletionText(view.state, text, from, to + rest));
  return { ...option, apply };
}

interface Token {
  from: number;
  to: number;
}

/** The string or word at the cursor. */
function tokenAround(text: string, pos: number, node: Node | undefined): Token {
  const isText = node?.type === 'string' || node?.type === 'property';
  if (isText && node.offset < pos && pos <= node.offset + node.length)
    return { from: node.offset, to: node.offset + node.length };
  const before = /[\w.+-]*$/.exec(text.slice(0, pos))![0];
  const after = /^[\w.+-]*/.exec(text.slice(pos))![0];
  return { from: pos - before.length, to: pos + after.length };
}

/** Properties that the object does not have yet. */
function propertyOptions(
  text: string,
  { path, token }: { path: (string | number)[]; token: Token },
  root: JsonSchema,
): Completion[] {
  const tree = parseTree(text);
  const object = tree && findNodeAtLocation(tree, path);
  const given = new Set(
    (object?.children ?? [])
      .map(({ children }) => children?.[0])
      .filter((key) => key !== undefined && key.offset !== token.from)
      .map((key) => key!.value as string),
  );
  const rest = text.slice(token.to).trimStart();
  return schemasAt(path, root).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => !given.has(name))
      .map(([name, schema]): Completion => {
        const value = rest.startsWith(':')
          ? ''
          : `: ${firstText(schema, root)}${rest.startsWith('"') ? ',' : ''}`;
        const { description } = resolve(schema, root);
        return {
          label: JSON.stringify(name),
          type: 'property',
          detail: typeText(schema, root) + (required.includes(name) ? '' : ', optional'),
          apply: JSON.stringify(name) + value,
          ...(description !== undefined && { info: description }),
        };
      }),
  );
}

function valueOptions(schema: JsonSchema, root: JsonSchema): Completion[] {
  const named = namedValues(schema).map((value): Completion => {
    const label = JSON.stringify(value);
    return label === JSON.stringify(schema.default)
      ? { label, type: 'constant', detail: 'default' }
      : { label, type: 'constant' };
  });
  if (schema.type === 'object' && schema.properties)
    return [
      ...named,
      { label: '{…}', type: 'class', detail: typeText(schema, root), apply: firstText(schema, root) },
    ];
  return named;
}

/** An initial value. */
function firstText(schema: JsonSchema, root: JsonSchema): string {
  return JSON.stringify(firstValue(schema, root, 0), null, 1).replace(/\n\s*/g, ' ');
}

function firstValue(given: JsonSchema, root: JsonSchema, depth: number): Json {
  const schema = resolve(given, root);
  const own = schema.default ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (own !== undefined) return own;
  if (schema.anyOf) return schema.default === null ? null : firstValue(schema.anyOf[0]!, root, depth);
  switch (schema.type) {
    case 'object': {
      // A class can contain itself, so limit the depth.
      const names = depth > 3 ? [] : (schema.required ?? []);
      const entries = names.map((name) => [
        name,
        firstValue(schema.properties?.[name] ?? {}, root, depth + 1),
      ]);
      return Object.fromEntries(entries) as Json;
    }
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return '';
  }
}

function unique(options: readonly Completion[]): Completion[] {
  return [...new Map(options.map((one) => [one.label, one])).values()];
}
