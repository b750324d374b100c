import type { Expression } from '../binder/Expression.ts';
import type { Constant } from '../declarations/Constant.ts';
import { removal, workersPair } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest, TextEdit } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import type { SourceText } from '../fixes/SourceText.ts';
import { wholeNumber } from '../fixes/valid-argument.ts';
import type { Finding } from './Finding.ts';
import { invalidValues } from './invalidValues.ts';

/**
 * `workers` is a pair of whole numbers (min, max), or the maximum alone. `(0, 0)` pauses an endpoint.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(3, 1))
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(1, 3))
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const invalidWorkers: Finding = {
  code: 'invalid-workers',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  find: (index) => invalidValues(index, ['workers']),
  fixes: [validWorkers],
};

/** A pair (min, max) where the numbers are certain: in order, whole and not below 0. */
function* validWorkers(request: FixRequest): Fixes {
  const place = argumentAt(request);
  const { source } = request;
  if (!place) return;
  const { constant, expression } = place.argument;
  if (constant.type === 'none') {
    yield { ...removal(source, place.declaration, place.argument), preferred: true };
  }
  const numbers = numbersOf(constant);
  if (!numbers || numbers.length > 2 || numbers.length === 0) return;
  const [min, max] = numbers.length === 1 ? [0, numbers[0]!] : (numbers as [number, number]);
  // An endpoint that no worker serves is not what a negative number was meant to make.
  if (numbers.some((number) => number < 0) && Math.max(min, max) <= 0) return;
  const [least, most] = [Math.max(0, Math.min(min, max)), Math.max(0, min, max)];
  const newText = workersPair(place.declaration, least, most);
  const safe = numbers.length === 2 && min > max && max >= 0 && isPair(constant);
  yield {
    title: `Write workers ${newText}`,
    edits: (safe && swapped(source, expression)) || [{ range: expression.range, newText }],
    safe,
    preferred: true,
  };
}

/** Puts each of two items in the other's place, so that names of constants, comments and lines stay. */
function swapped(source: SourceText, expression: Expression): TextEdit[] | null {
  if (expression.kind !== 'sequence' || expression.items.length !== 2) return null;
  const [first, second] = expression.items.map(({ range }) => range);
  return [
    { range: first!, newText: source.slice(second!) },
    { range: second!, newText: source.slice(first!) },
  ];
}

function isPair(constant: Constant): boolean {
  if (constant.type !== 'tuple' && constant.type !== 'list') return false;
  return constant.items.every(({ type }) => type === 'integer');
}

function numbersOf(constant: Constant): number[] | null {
  const { type } = constant;
  const items = type === 'tuple' || type === 'list' || type === 'set' ? constant.items : [constant];
  const numbers = items.map(wholeNumber);
  return numbers.every((number) => number !== null) ? numbers : null;
}
