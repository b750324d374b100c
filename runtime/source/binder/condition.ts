/**
 * A condition → its result on a worker, which runs on Linux, has a recent Python version and imports its
 * modules.
 */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Expression } from './Expression.ts';
import { type BranchGuards, bothGuards, eitherGuard, type NameTest } from './reach.ts';
import { readExpression, textOf, values } from './readExpression.ts';
import { guardsOfVersion } from './versionCondition.ts';

/** Generated code may nest thousands of conditions; handwritten code does not. */
const MAX_DEPTH = 100;

/** Conditions on the machine or on installed packages: the branch that a worker takes is not known here. */
const ON_MACHINE =
  /\b(?:sys\.platform|sys\.implementation|(?:sys\.)?version_info|os\.name|platform\.\w+\s*\(|find_spec\s*\()/;

/** Expressions that name the system → their values on workers. */
const SYSTEM: Readonly<Record<string, string>> = {
  'sys.platform': 'linux',
  'os.name': 'posix',
  'platform.system()': 'Linux',
};

/** A string, a number, or a tuple, list or set of them. */
type Literal = string | number | Literal[];

const UNKNOWN: BranchGuards = { first: null, others: null };
const TRUE: BranchGuards = { first: null, others: 'elsewhere' };
const FALSE: BranchGuards = { first: 'elsewhere', others: null };

/** The guards of the branches of a condition. */
export function guardsOfCondition(condition: SyntaxNode, text: string): BranchGuards {
  const guards = guardsOf(condition, text, 0);
  const isSaid = guards.first !== null || guards.others !== null;
  return isSaid || !ON_MACHINE.test(textOf(condition, text))
    ? guards
    : { first: 'optional', others: 'optional' };
}

/** The test in a condition that is only a name, or `not` and a name. */
export function testOfName(node: SyntaxNode, text: string): NameTest | null {
  switch (node.type) {
    case 'identifier':
      return { name: textOf(node, text), is: true };
    case 'parenthesized_expression':
      return testOfName(values(node)[0] ?? node.children[0]!, text);
    case 'not_operator': {
      const tested = testOfName(node.childForFieldName('argument')!, text);
      return tested && { ...tested, is: !tested.is };
    }
    default:
      return null;
  }
}

/** The guards for when a condition is true, and for when it is false. */
function guardsOf(node: SyntaxNode, text: string, depth: number): BranchGuards {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const inner = (child: SyntaxNode | null) => (child ? guardsOf(child, text, depth + 1) : UNKNOWN);
  switch (node.type) {
    case 'parenthesized_expression':
      return inner(values(node)[0] ?? null);
    case 'not_operator':
      return not(inner(node.childForFieldName('argument')));
    case 'boolean_operator': {
      const left = inner(node.childForFieldName('left'));
      const right = inner(node.childForFieldName('right'));
      return node.childForFieldName('operator')?.type === 'and'
        ? and(left, right)
        : not(and(not(left), not(right)));
    }
    case 'comparison_operator':
      return guardsOfComparison(node, text);
    case 'call':
      return guardsOfPrefix(node, text);
    case 'true':
      return TRUE;
    case 'false':
    case 'none':
      return FALSE;
    case 'integer':
    case 'float':
    case 'string': {
      const read = literal(readExpression(node, text));
      return read === null ? UNKNOWN : read ? TRUE : FALSE;
    }
    default:
      return /^(?:\w+\.)?TYPE_CHECKING$/.test(textOf(node, text))
        ? { first: 'type-checking', others: null }
        : UNKNOWN;
  }
}

function not({ first, others }: BranchGuards): BranchGuards {
  return { first: others, others: first };
}

/** True when both sides are true; false when one of them is false. */
function and(left: BranchGuards, right: BranchGuards): BranchGuards {
  return { first: bothGuards(left.first, right.first), others: eitherGuard(left.others, right.others) };
}

/** Operators → the equivalent operators for swapped operands. */
const MIRRORED: Readonly<Record<string, string>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
  in: 'contains',
  'not in': 'not contains',
};

/** `a < b < c` consists of two comparisons. Each comparison is tried in both orders. */
function guardsOfComparison(node: SyntaxNode, text: string): BranchGuards {
  const [first, ...others] = values(node);
  let left = first!;
  let guards: BranchGuards | null = null;
  for (const right of others) {
    const operator = text
      .slice(left.endIndex, right.startIndex)
      .replaceAll(/[\s\\]+/g, ' ')
      .trim();
    const one =
      compared(left, operator, right, text) ??
      compared(right, MIRRORED[operator] ?? '', left, text) ??
      UNKNOWN;
    guards = guards ? and(guards, one) : one;
    left = right;
  }
  return guards ?? UNKNOWN;
}

/** Null if the left side is not something that is known about a worker. */
function compared(left: SyntaxNode, operator: string, right: SyntaxNode, text: string): BranchGuards | null {
  const name = textOf(left, text).replaceAll(/\s/g, '');
  if (name === '__name__') {
    const isMain = /^(['"])__main__\1$/.test(textOf(right, text));
    if (!isMain || (operator !== '==' && operator !== '!=')) return UNKNOWN;
    const main: BranchGuards = { first: 'main', others: null };
    return operator === '==' ? main : not(main);
  }
  const given = literal(readExpression(right, text));
  if (given === null) return null;
  if (Object.hasOwn(SYSTEM, name)) return guardsOfSystem(SYSTEM[name]!, operator, given);
  const part = /^(?:sys\.)?version_info(\[0\]|\.major|\[1\]|\.minor|\[0?:[123]\])?$/.exec(name);
  return part ? guardsOfPart(part[1] ?? '', operator, given) : null;
}

function guardsOfSystem(system: string, operator: string, given: Literal): BranchGuards {
  const decide = (isTrue: boolean) => (isTrue ? TRUE : FALSE);
  switch (operator) {
    case '==':
      return decide(given === system);
    case '!=':
      return decide(given !== system);
    case 'in':
      return typeof given === 'number' ? UNKNOWN : decide(given.includes(system));
    case 'not in':
      return not(guardsOfSystem(system, 'in', given));
    case 'contains':
      return typeof given === 'string' ? decide(system.includes(given)) : UNKNOWN;
    case 'not contains':
      return not(guardsOfSystem(system, 'contains', given));
    default:
      return UNKNOWN;
  }
}

/** `in` is a comparison with each item. */
function guardsOfPart(part: string, operator: string, given: Literal): BranchGuards {
  if (operator === 'not in') return not(guardsOfPart(part, 'in', given));
  if (operator !== 'in') return guardsOfVersion(part, operator, given) ?? UNKNOWN;
  if (!Array.isArray(given)) return UNKNOWN;
  const each = given.map((one) => not(guardsOfPart(part, '==', one)));
  return not(each.reduce(and, TRUE));
}

/** `sys.platform.startswith("linux")`. */
function guardsOfPrefix(node: SyntaxNode, text: string): BranchGuards {
  const callee = textOf(node.childForFieldName('function')!, text).replaceAll(/\s/g, '');
  const system = callee.endsWith('.startswith') ? SYSTEM[callee.slice(0, -'.startswith'.length)] : undefined;
  const given = node.childForFieldName('arguments');
  const [prefix, more] = given ? values(given) : [];
  if (system === undefined || !prefix || more) return UNKNOWN;
  const read = literal(readExpression(prefix, text));
  if (read === null) return UNKNOWN;
  const isPrefix = (one: Literal) => typeof one === 'string' && system.startsWith(one);
  return [read].flat().some(isPrefix) ? TRUE : FALSE;
}

/** The value of a literal of strings and numbers; null for anything else. */
function literal(read: Expression): Literal | null {
  if (read.kind === 'string' || read.kind === 'number') return read.value;
  if (read.kind !== 'sequence') return null;
  const items = read.items.map(literal);
  return items.every((item) => item !== null) ? items : null;
}
