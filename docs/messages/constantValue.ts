/** An expression of constants → its value: `FILES.lock`, `LIMITS.keyCheck / 1_000`, `VERBS.join(', ')`. */
import type { Node } from './Node.ts';

/** @param valueOf The value of a constant; undefined if it is not known before run time. */
export function constantValue(node: Node, valueOf: (name: string) => unknown): unknown {
  const value = (one: Node) => constantValue(one, valueOf);
  switch (node.type) {
    case 'Literal':
      return node['value'];
    case 'Identifier':
      // Other names can be those of objects that change.
      return /^[A-Z][A-Z\d_]*$/.test(node['name']) ? valueOf(node['name']) : undefined;
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return value(node['expression']);
    case 'TemplateLiteral':
      return template(node, (node['expressions'] as Node[]).map(value));
    case 'ArrayExpression':
      return (node['elements'] as Node[]).map(value);
    case 'ObjectExpression':
      return Object.fromEntries(
        (node['properties'] as Node[]).map((one) => [
          one['key']?.name ?? '',
          one['value'] && value(one['value']),
        ]),
      );
    case 'MemberExpression':
      return member(
        value(node['object']),
        node['computed'] ? value(node['property']) : node['property'].name,
      );
    case 'BinaryExpression':
      return result(value(node['left']), node['operator'], value(node['right']));
    case 'CallExpression':
      return joined(node, value);
    default:
      return undefined;
  }
}

/** Whether a value can be inserted into a text. */
export function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function template(node: Node, values: unknown[]): string | undefined {
  const parts = (node['quasis'] as Node[]).map((one) => one['value'].cooked as string);
  return values.every(isPlain) ? parts.map((part, at) => part + (values[at] ?? '')).join('') : undefined;
}

function member(object: unknown, key: unknown): unknown {
  if (typeof object !== 'object' || object === null || !isPlain(key)) return undefined;
  return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined;
}

function result(left: unknown, operator: string, right: unknown): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (operator === '*') return left * right;
  if (operator === '/') return left / right;
  if (operator === '-') return left - right;
  return operator === '+' ? left + right : undefined;
}

/** The text of `LIST.join(', ')`. */
function joined(node: Node, value: (one: Node) => unknown): string | undefined {
  const called = node['callee'] as Node;
  if (called.type !== 'MemberExpression' || called['property'].name !== 'join') return undefined;
  const list = value(called['object']);
  const separator = node['arguments'][0] ? value(node['arguments'][0]) : ',';
  return Array.isArray(list) && list.every(isPlain) && isPlain(separator)
    ? list.join(String(separator))
    : undefined;
}
