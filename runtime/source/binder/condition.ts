/** A condition → what a worker makes of it: it runs on Linux, on a Python that is not old, and imports its modules. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { type Guard, isRun, versionGuard } from './reach.ts';
import { readExpression, textOf, values } from './readExpression.ts';

/** Generated code may nest thousands of conditions; nobody writes so many by hand. */
const MAX_DEPTH = 100;

/** Conditions on the machine or on what is installed: which branch a worker takes is not known here. */
const ON_MACHINE =
  /\b(?:sys\.platform|sys\.implementation|(?:sys\.)?version_info|os\.name|platform\.\w+\s*\(|find_spec\s*\()/;

/** Python's own names of the system that workers have. */
const SYSTEM: Readonly<Record<string, string>> = { 'sys.platform': 'linux', 'os.name': 'posix' };

/** What a condition says of the block that it is over, and of all the clauses after it. */
export interface BranchGuards {
  first: Guard | null;
  others: Guard | null;
}

const UNKNOWN: BranchGuards = { first: null, others: null };
const TRUE: BranchGuards = { first: null, others: 'elsewhere' };
const FALSE: BranchGuards = { first: 'elsewhere', others: null };

/** The guards of what a condition decides. */
export function guardsOfCondition(condition: SyntaxNode, text: string): BranchGuards {
  const guards = guardsOf(condition, text, 0);
  const isSaid = guards.first !== null || guards.others !== null;
  return isSaid || !ON_MACHINE.test(textOf(condition, text))
    ? guards
    : { first: 'optional', others: 'optional' };
}

/** What is true where a condition is, and where it is not. */
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
    default:
      return /^(?:\w+\.)?TYPE_CHECKING$/.test(textOf(node, text))
        ? { first: 'type-checking', others: null }
        : UNKNOWN;
  }
}

function not({ first, others }: BranchGuards): BranchGuards {
  return { first: others, others: first };
}

/** False where one side is; true where both are. */
function and(left: BranchGuards, right: BranchGuards): BranchGuards {
  const isFalse = (side: BranchGuards) => !isRun(side.first);
  const first = isFalse(right) && !isFalse(left) ? right.first : (left.first ?? right.first);
  return { first, others: left.others && right.others ? left.others : null };
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Two values are compared in either order. */
function guardsOfComparison(node: SyntaxNode, text: string): BranchGuards {
  const [left, right, more] = values(node);
  if (!left || !right || more) return UNKNOWN;
  const operator = text.slice(left.endIndex, right.startIndex).trim().replace(/\s+/g, ' ');
  const mirrored = MIRRORED[operator] ?? (/^[!=]=$/.test(operator) ? operator : '');
  return compared(left, operator, right, text) ?? compared(right, mirrored, left, text) ?? UNKNOWN;
}

/** Null where the left side is nothing that is known of a worker. */
function compared(left: SyntaxNode, operator: string, right: SyntaxNode, text: string): BranchGuards | null {
  const name = textOf(left, text).replaceAll(/\s/g, '');
  if (name === '__name__') {
    const isMain = /^(['"])__main__\1$/.test(textOf(right, text));
    if (!isMain || (operator !== '==' && operator !== '!=')) return UNKNOWN;
    const main: BranchGuards = { first: 'main', others: null };
    return operator === '==' ? main : not(main);
  }
  if (Object.hasOwn(SYSTEM, name)) {
    const given = literals(right, text);
    if (!given || !/^(?:[!=]=|(?:not )?in)$/.test(operator)) return null;
    const isTrue = given.includes(SYSTEM[name]!) === (operator === '==' || operator === 'in');
    return isTrue ? TRUE : FALSE;
  }
  const part = /^(?:sys\.)?version_info(\[0\]|\.major|\[1\]|\.minor|\[:2\])?$/.exec(name);
  return part ? guardsOfVersion(part[1] ?? '', operator, literals(right, text)) : null;
}

/** `part` is what is taken of `sys.version_info`, which is longer than any tuple that it is compared with. */
function guardsOfVersion(part: string, operator: string, given: readonly unknown[] | null): BranchGuards {
  const numbers = (given ?? []).filter((number) => typeof number === 'number');
  const [major, minor] = /1|minor/.test(part) ? [3, ...numbers] : numbers;
  if (major === undefined || numbers.length !== given?.length || numbers.length > 2) return UNKNOWN;
  const isEqual = part !== '' && (part !== '[:2]' || minor !== undefined);
  const at = versionOf(major, minor ?? 0);
  const next = minor === undefined ? versionOf(major + 1, 0) : versionOf(major, minor + 1);
  const past = isEqual ? next : at;
  switch (operator) {
    case '>=':
      return since(at);
    case '>':
      return since(past);
    case '<':
      return not(since(at));
    case '<=':
      return not(since(past));
    case '==':
      return isEqual ? between(at, past) : UNKNOWN;
    case '!=':
      return isEqual ? not(between(at, past)) : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** A version as a minor one of Python 3: before its first or after its last for the others. */
function versionOf(major: number, minor: number): number {
  if (major < 3) return 0;
  return major > 3 ? Number.POSITIVE_INFINITY : minor;
}

function since(minor: number): BranchGuards {
  return { first: versionGuard(minor, Number.POSITIVE_INFINITY), others: versionGuard(0, minor) };
}

/** What is not between them has no one guard, unless workers have all of it or nothing. */
function between(minor: number, end: number): BranchGuards {
  const first = versionGuard(minor, end);
  return { first, others: first === null ? 'elsewhere' : null };
}

/** `sys.platform.startswith("linux")`. */
function guardsOfPrefix(node: SyntaxNode, text: string): BranchGuards {
  const [, name] =
    /^(sys\.platform|os\.name)\.startswith$/.exec(textOf(node.childForFieldName('function')!, text)) ?? [];
  const given = node.childForFieldName('arguments');
  const prefixes = given && values(given).length === 1 ? literals(values(given)[0]!, text) : null;
  if (!name || !prefixes) return UNKNOWN;
  return prefixes.some((prefix) => SYSTEM[name]!.startsWith(String(prefix))) ? TRUE : FALSE;
}

/** The texts and numbers that a literal or a sequence of literals has; null for anything else. */
function literals(node: SyntaxNode, text: string): (string | number)[] | null {
  const read = readExpression(node, text);
  const found = (read.kind === 'sequence' ? read.items : [read]).map((item) =>
    item.kind === 'string' || item.kind === 'number' ? item.value : null,
  );
  return found.every((value) => value !== null) ? found : null;
}
