/** The text for an expression whose value is known only at run time: `{port}`. */
import type { Node } from './Node.ts';

/** Objects whose functions say less about a value than its argument does. */
const GLOBALS: ReadonlySet<string> = new Set(['Array', 'JSON', 'Math', 'Object']);

/** @param source The text of the file. */
export function placeholder(node: Node, source: string): string {
  return `{${nameFor(node) ?? source.slice(node.start, node.end).replaceAll(/\s+/g, ' ')}}`;
}

/** The name that says most about a value: `bytes` for `megabytes(bytes)`, `names` for `names.join(', ')`. */
function nameFor(node: Node | undefined): string | null {
  switch (node?.type) {
    case 'Identifier':
      return node['name'] as string;
    case 'MemberExpression': {
      const inner = node['object'] as Node;
      if (node['computed'] || node['property'].name === 'posix') return nameFor(inner);
      const isPlain = inner.type === 'Identifier' && node['property'].type === 'Identifier';
      return isPlain ? `${inner['name']}.${node['property'].name}` : nameFor(node['property']);
    }
    case 'PrivateIdentifier':
      return node['name'] as string;
    case 'CallExpression': {
      const called = node['callee'] as Node;
      if (called.type === 'MemberExpression' && !GLOBALS.has(called['object'].name)) {
        return nameFor(called['object']) ?? nameFor(called['property']);
      }
      const [first, second] = node['arguments'] as Node[];
      // `assigned(dialect, 'workers', …)`: Python or TOML, then what is assigned.
      if (first?.['name'] === 'dialect' && second?.type === 'Literal') return String(second['value']);
      return nameFor(first) ?? nameFor(called);
    }
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return nameFor(node['expression']);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return nameFor(node['left']);
    case 'ArrayExpression':
      return nameFor(node['elements'][0]);
    case 'AwaitExpression':
    case 'SpreadElement':
      return nameFor(node['argument']);
    default:
      return null;
  }
}
