/** The text of a module → its mutants: small changes that a good test of its behavior notices. */
import { parseSync, Visitor } from 'oxc-parser';

/** One change of a text. */
export interface Mutant {
  /** Offsets of the replaced text. */
  start: number;
  end: number;
  replacement: string;
  /** Offset of what runs if the mutant is reached. Coverage counts an operator such as `??` to its right side. */
  ran: number;
  /** Such as `< → <=`. */
  what: string;
}

/** Each operator becomes one that differs at a boundary or in its sense. */
const OPERATORS: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Numbers up to this are places, steps and counts. Larger ones are mostly durations and sizes, where one more changes nothing. */
export const LARGEST_NUMBER = 2;

/** All mutants of a module, in the order of their places. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, replacement: string, ran = start): void => {
    mutants.push({ ...mutant(text, start, end, replacement), ran });
  };
  const operator = (node: { left: Span; right: Span; operator: string }): void => {
    const other = OPERATORS[node.operator];
    if (other === undefined) return;
    const start = text.indexOf(node.operator, node.left.end);
    if (start >= 0 && start < node.right.start)
      add(start, start + node.operator.length, other, node.left.start);
  };
  // `-1` and `1` in a comparison for sorting: only their signs matter.
  const signs = new Set<number>();
  const types = new Set<number>();
  new Visitor({
    TSLiteralType: ({ literal }) => {
      types.add(literal.start);
    },
    ConditionalExpression: ({ consequent, alternate }) => {
      for (const { start, end } of [consequent, alternate])
        if (/^-?1$/.test(text.slice(start, end))) signs.add(end - 1);
    },
    BinaryExpression: operator,
    LogicalExpression: operator,
    UnaryExpression: ({ start, operator: sign }) => {
      if (sign === '!') add(start, start + 1, '');
    },
    Literal: ({ start, end, value }) => {
      if (types.has(start)) return;
      if (typeof value === 'boolean') add(start, end, String(!value));
      if (typeof value === 'number' && value <= LARGEST_NUMBER && !signs.has(start))
        add(start, end, String(value + 1));
    },
    IfStatement: ({ test, alternate }) => {
      // Without an `else`, such as the early return of a special case.
      if (alternate === null) add(test.start, test.end, 'false');
    },
    ExpressionStatement: ({ start, end, expression }) => {
      // The `void` keeps a statement in its place.
      if (expression.type === 'CallExpression' || expression.type === 'AwaitExpression')
        add(start, end, 'void 0;');
    },
  }).visit(parseSync(file, text).program);
  return mutants.toSorted((a, b) => a.start - b.start);
}

/** A mutant, with the words that show it. */
export function mutant(text: string, start: number, end: number, replacement: string): Mutant {
  return {
    start,
    end,
    replacement,
    ran: start,
    what: `${oneLine(text.slice(start, end))} → ${oneLine(replacement)}`,
  };
}

interface Span {
  start: number;
  end: number;
}

function oneLine(text: string): string {
  const short = text.replaceAll(/\s+/g, ' ').slice(0, 60);
  return short === '' ? 'nothing' : short;
}
