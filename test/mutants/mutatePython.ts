/** The text of a Python module → its mutants, of the same kinds as those of a TypeScript module. */
import type { Node } from 'web-tree-sitter';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';
import { LARGEST_NUMBER, type Mutant, mutant } from './mutate.ts';

/** Each operator becomes one that differs at a boundary or in its sense. */
const OPERATORS: Record<string, string> = {
  '==': '!=',
  '!=': '==',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  '+': '-',
  '-': '+',
  '*': '//',
  and: 'or',
  or: 'and',
};
const WITH_OPERATOR = new Set(['comparison_operator', 'binary_operator', 'boolean_operator']);

const parser = await loadWasmParser();

/** All mutants of a module, in the order of their places. */
export function pythonMutantsOf(text: string): Mutant[] {
  const tree = parser.parse(text);
  try {
    return [...mutantsBelow(tree.rootNode as Node, text)].toSorted((a, b) => a.start - b.start);
  } finally {
    tree.delete();
  }
}

function* mutantsBelow(node: Node, text: string): Generator<Mutant> {
  const replaced = (place: Node, replacement: string): Mutant =>
    mutant(text, place.startIndex, place.endIndex, replacement);
  if (WITH_OPERATOR.has(node.type)) {
    for (const child of node.children) {
      const other = OPERATORS[child?.type ?? ''];
      if (child && other !== undefined) yield replaced(child, other);
    }
  }
  if (node.type === 'not_operator') yield replaced(node.child(0)!, '');
  if (node.type === 'true') yield replaced(node, 'False');
  if (node.type === 'false') yield replaced(node, 'True');
  if (node.type === 'integer' && Number(node.text) <= LARGEST_NUMBER)
    yield replaced(node, String(Number(node.text) + 1));
  if (node.type === 'if_statement' && !node.childForFieldName('alternative')) {
    yield replaced(node.childForFieldName('condition')!, 'False');
  }
  if (node.type === 'expression_statement' && ['call', 'await'].includes(node.child(0)?.type ?? '')) {
    yield replaced(node, 'pass');
  }
  // Annotations are not run.
  for (const child of node.children) if (child && child.type !== 'type') yield* mutantsBelow(child, text);
}
