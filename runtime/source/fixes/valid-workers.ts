/** Writes workers as a pair (min, max) where the numbers are certain: in order, whole and not below 0. */
import type { Expression } from '../binder/Expression.ts';
import type { Constant } from '../declarations/Constant.ts';
import { removeArgument, replaceRange } from './callArguments.ts';
import { type Fixer, fixIn, type TextEdit } from './Fix.ts';
import { argumentAt } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const validWorkers: Fixer = (project, found) => {
  const place = argumentAt(project.index, found);
  const source = SourceText.of(project, found.file);
  if (!place || !source) return [];
  const { constant, expression } = place.argument;
  if (constant.type === 'none') {
    const edits = removeArgument(source, place.declaration, place.argument);
    return [fixIn({ title: 'Remove workers', file: found.file, edits, preferred: true })];
  }
  const numbers = numbersOf(constant);
  if (!numbers || numbers.length > 2 || numbers.length === 0) return [];
  const [min, max] = numbers.length === 1 ? [0, numbers[0]!] : numbers;
  // An endpoint that no worker serves is not what a negative number was meant to make.
  if (numbers.some((number) => number < 0) && Math.max(min!, max!) <= 0) return [];
  const pair = [Math.max(0, Math.min(min!, max!)), Math.max(0, min!, max!)].join(', ');
  const isList = place.declaration.form === 'table' || constant.type === 'list';
  const written = isList ? `[${pair}]` : `(${pair})`;
  const isOrderWrong = numbers.length === 2 && min! > max! && max! >= 0 && isPair(constant);
  return [
    fixIn({
      title: `Write workers ${written}`,
      file: found.file,
      edits: (isOrderWrong && swapped(source, expression)) || replaceRange(source, expression.range, written),
      safe: isOrderWrong,
      preferred: true,
    }),
  ];
};

/** Puts each of two items in the other's place, so that names of constants, comments and lines stay. */
function swapped(source: SourceText, expression: Expression): TextEdit[] | null {
  if (expression.kind !== 'sequence' || expression.items.length !== 2) return null;
  const [first, second] = expression.items.map(({ range }) => range);
  return [
    ...replaceRange(source, first!, source.slice(second!)),
    ...replaceRange(source, second!, source.slice(first!)),
  ];
}

function isPair(constant: Constant): boolean {
  if (constant.type !== 'tuple' && constant.type !== 'list') return false;
  return constant.items.every(({ type }) => type === 'integer');
}

function numbersOf(constant: Constant): number[] | null {
  const items =
    constant.type === 'tuple' || constant.type === 'list' || constant.type === 'set'
      ? constant.items
      : [constant];
  const numbers = items.map(wholeNumber);
  return numbers.every((number) => number !== null) ? numbers : null;
}

/** The whole number that a number or a text certainly means. */
export function wholeNumber(constant: Constant): number | null {
  if (constant.type === 'integer') return constant.value;
  if (constant.type === 'float') return Number.isInteger(constant.value) ? constant.value : null;
  if (constant.type !== 'string' || !/^\s*-?\d{1,9}\s*$/.test(constant.value)) return null;
  return Number(constant.value);
}
