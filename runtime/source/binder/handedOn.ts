/** Finds which parts of an expression pass their values to a place where they cannot be followed. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { textOf, values } from './readExpression.ts';

/** Functions that only inspect a value, print it or replace it in a test. `partial` has its own finding. */
const HARMLESS =
  /^(?:assert\w*|isinstance|issubclass|cast|print|repr|str|id|type|help|dir|len|sorted|format|pprint|log|debug|info|warning|warn|error|exception|critical|vars|callable|hasattr|getattr|setattr|signature|get_type_hints|getdoc|getsource|getmembers|TypeVar|NewType|Mock|MagicMock|create_autospec|object|partial)$/;
/** Expressions whose value is the value of one of their parts, or contains it. */
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
/** Statements that pass a value to a caller, where it cannot be followed. */
const SINKS: ReadonlySet<string> = new Set(['return_statement', 'yield']);

/** Whether the parts of a node pass their values on. `isHandedOn` says whether the node itself does. */
export function handsOn(node: SyntaxNode, isHandedOn: boolean, text: string): boolean {
  if (node.type === 'call') return !isHarmless(node, text);
  return SINKS.has(node.type) || (isHandedOn && CARRIERS.has(node.type));
}

function isHarmless(call: SyntaxNode, text: string): boolean {
  const callee = call.childForFieldName('function');
  const last = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : callee;
  const name = last ? textOf(last, text) : '';
  // An exception only shows its arguments.
  return HARMLESS.test(name) || call.parent?.type === 'raise_statement' || isRegister(call, name);
}

/**
 * Whether a call is like `@show.register(Endpoint)` above an implementation of a `singledispatch` function,
 * which only tests for the class.
 */
function isRegister(call: SyntaxNode, name: string): boolean {
  const given = call.childForFieldName('arguments');
  return (
    name === 'register' && call.parent?.type === 'decorator' && given !== null && values(given).length === 1
  );
}
