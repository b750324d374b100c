/** String literals → their values in Python; f-strings keep their replacement fields. */

import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Expression } from './Expression.ts';

const ESCAPE = /\\(?:\r\n|[\n\\'"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/g;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\r\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Reads a `string` node. For bytes, only the type is read. Template strings and escapes by character name are
 * opaque.
 *
 * @param readField - Reads the expression of a replacement field.
 */
export function readString(
  node: SyntaxNode,
  text: string,
  readField: (node: SyntaxNode) => Expression,
): Expression {
  const range = rangeOf(node);
  const start = node.namedChildren[0];
  const end = node.namedChildren.at(-1);
  if (start?.type !== 'string_start' || end?.type !== 'string_end') return { kind: 'opaque', range };
  const prefix = text
    .slice(start.startIndex, start.endIndex)
    .replace(/['"]+$/, '')
    .toLowerCase();
  if (prefix.includes('b')) return { kind: 'bytes', range };
  if (prefix.includes('t')) return { kind: 'opaque', range };
  const raw = prefix.includes('r');
  if (!prefix.includes('f')) {
    const content = text.slice(start.endIndex, end.startIndex);
    const value = raw ? content : unescape(content);
    if (value === null) return { kind: 'opaque', range };
    const exact = value === content && !content.includes('\n');
    return { kind: 'string', value, contentOffset: exact ? start.endIndex - node.startIndex : null, range };
  }
  const parts: Expression[] = [];
  for (const child of node.namedChildren.slice(1, -1)) {
    if (child.type === 'interpolation') parts.push(readInterpolation(child, text, readField));
    else if (child.type === 'string_content') {
      const content = text.slice(child.startIndex, child.endIndex).replace(/\{\{|\}\}/g, (pair) => pair[0]!);
      const value = raw ? content : unescape(content);
      if (value === null) return { kind: 'opaque', range };
      parts.push({ kind: 'string', value, contentOffset: null, range: rangeOf(child) });
    }
  }
  return { kind: 'concatenation', parts, range };
}

/** `{x=}` and formats with nested fields are opaque. */
function readInterpolation(
  node: SyntaxNode,
  text: string,
  readField: (node: SyntaxNode) => Expression,
): Expression {
  const range = rangeOf(node);
  const expression = node.childForFieldName('expression');
  const conversion = node.childForFieldName('type_conversion');
  const spec = node.childForFieldName('format_specifier');
  const parts = [expression, conversion, spec].filter((part) => part !== null);
  const isPlain = node.children.length === parts.length + 2 && !spec?.namedChildren.length;
  if (!expression || !isPlain) return { kind: 'opaque', range };
  const value = readField(expression);
  if (parts.length === 1) return value;
  const written = (part: SyntaxNode | null) => (part ? text.slice(part.startIndex + 1, part.endIndex) : '');
  return { kind: 'format', value, conversion: written(conversion), spec: written(spec), range };
}

/** Replaces the escapes in a text; null if there is an escape by character name. */
function unescape(content: string): string | null {
  if (!content.includes('\\')) return content;
  if (/(?:^|[^\\])(?:\\\\)*\\N/.test(content)) return null;
  return content.replace(ESCAPE, (escape) => {
    const body = escape.slice(1);
    const simple = SIMPLE_ESCAPES[body];
    if (simple !== undefined) return simple;
    const code = /^[xuU]/.test(body) ? Number.parseInt(body.slice(1), 16) : Number.parseInt(body, 8);
    return code > 0x10ffff ? escape : String.fromCodePoint(code);
  });
}
