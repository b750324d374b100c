/** Which statements of an `if`, a `try` or a `with` a deployed worker does not run, or may see fail. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Guard } from './FileFacts.ts';
import { textOf, values } from './readExpression.ts';

/** Generated code may nest thousands of conditions; nobody writes so many by hand. */
const MAX_DEPTH = 100;

/** Conditions on the machine, on Python or on what is installed: which branch a worker takes is not told here. */
const ON_MACHINE =
  /\b(?:sys\.platform|sys\.implementation|(?:sys\.)?version_info|os\.name|platform\.\w+\s*\(|find_spec\s*\()/;

/** `with suppress(ImportError)`, of contextlib. */
const SUPPRESSED = /\bsuppress\s*\([^)]*\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/;

/** What a condition says of the block that it is over, and of all the clauses after it. */
export interface BranchGuards {
  first: Guard | null;
  others: Guard | null;
}

/** The guards of an `if` statement or an `elif` clause. */
export function guardsOfIf(node: SyntaxNode, text: string): BranchGuards {
  const condition = node.childForFieldName('condition');
  if (!condition) return { first: null, others: null };
  const guards = guardsOf(condition, text, 0);
  const optional = ON_MACHINE.test(textOf(condition, text)) ? 'optional' : null;
  return { first: guards.first ?? optional, others: guards.others ?? optional };
}

/** What is true where a condition is, and where it is not. */
function guardsOf(node: SyntaxNode, text: string, depth: number): BranchGuards {
  const none = { first: null, others: null };
  if (depth > MAX_DEPTH) return none;
  const inner = (child: SyntaxNode | null) => (child ? guardsOf(child, text, depth + 1) : none);
  switch (node.type) {
    case 'parenthesized_expression':
      return inner(values(node)[0] ?? null);
    case 'not_operator': {
      const { first, others } = inner(node.childForFieldName('argument'));
      return { first: others, others: first };
    }
    case 'boolean_operator': {
      const left = inner(node.childForFieldName('left'));
      const right = inner(node.childForFieldName('right'));
      const isAnd = node.childForFieldName('operator')?.type === 'and';
      return isAnd
        ? { first: left.first ?? right.first, others: null }
        : { first: null, others: left.others ?? right.others };
    }
    default:
      return guardsOfTerm(textOf(node, text).replaceAll(/\s/g, ''));
  }
}

function guardsOfTerm(written: string): BranchGuards {
  if (/^(?:\w+\.)?TYPE_CHECKING$/.test(written)) return { first: 'type-checking', others: null };
  const equals = (/^__name__([!=]=)(['"])__main__\2$/.exec(written) ??
    /^(?:'__main__'|"__main__")([!=]=)__name__$/.exec(written))?.[1];
  return { first: equals === '==' ? 'main' : null, others: equals === '!=' ? 'main' : null };
}

/** The guard over the body of a `with` statement. */
export function guardOfWith(node: SyntaxNode, text: string): Guard | null {
  const items = node.namedChildren.find(({ type }) => type === 'with_clause');
  return items && SUPPRESSED.test(textOf(items, text)) ? 'optional' : null;
}

/** The guard over the body of a `try` statement: imports may fail where a handler foresees it. */
export function guardOfTry(node: SyntaxNode, text: string): Guard | null {
  for (const clause of node.namedChildren) {
    if (!clause.type.startsWith('except')) continue;
    const header = textOf(clause, text).split(':', 1)[0]!;
    if (/^except\s*$|\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/.test(header))
      return 'optional';
  }
  return null;
}
