/** Which parts of an expression have its value, and which give theirs to what nobody follows. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { textOf } from './readExpression.ts';

/** What only looks at a value, prints it or replaces it in a test; `partial` has a finding of its own. */
const HARMLESS =
  /^(?:assert\w*|isinstance|issubclass|cast|print|repr|str|id|type|help|dir|len|sorted|format|pprint|log|debug|info|warning|warn|error|exception|critical|vars|callable|hasattr|getattr|setattr|signature|get_type_hints|getdoc|getsource|getmembers|TypeVar|NewType|Mock|MagicMock|create_autospec|object|partial)$/;
/** Expressions that have the value of one of their parts, or hold it. */
const CARRIERS: ReadonlySet<string> = new Set([
  'parenthesized_expression',
  'list',
  'tuple',
  'set',
  'dictionary',
  'pair',
  'expression_list',
  'conditional_expression',
  'boolean_operator',
  'keyword_argument',
  'argument_list',
]);
/** Where a value comes to a name that nobody follows. */
const SINKS: ReadonlySet<string> = new Set(['return_statement', 'yield']);

/** Whether the parts of a node hand their values on, for a node that does so itself or not. */
export function handsOn(node: SyntaxNode, isHandedOn: boolean, text: string): boolean {
  if (node.type === 'call') return !isHarmless(node, text);
  return SINKS.has(node.type) || (isHandedOn && CARRIERS.has(node.type));
}

function isHarmless(call: SyntaxNode, text: string): boolean {
  const callee = call.childForFieldName('function');
  const last = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : callee;
  return last !== null && HARMLESS.test(textOf(last, text));
}
