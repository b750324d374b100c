import type { Expression } from '../binder/Expression.ts';
import { removal, workersPair } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import type { SourceText } from '../fixes/SourceText.ts';
import type { TextEdit } from '../fixes/TextEdit.ts';
import { wholeNumber } from '../fixes/valid-argument.ts';
import type { Finding } from './Finding.ts';
import { invalidValues } from './invalidValues.ts';

/**
 * `workers` must be a pair of whole numbers (min, max), or only the maximum. The minimum must not exceed the
 * maximum. `(0, 0)` pauses an endpoint.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(workers=(3, 1))
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
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

/** Writes a valid pair (min, max) when the intended numbers are clear: in order, whole and not below 0. */
function* validWorkers(request: FixRequest): Fixes {
  const place = argumentAt(request);
  const { source } = request;
  if (!place) return;
  const { constant, expression } = place.argument;
  if (constant.type === 'none') {
    yield { ...removal(source, place.declaration, place.argument), preferred: true };
  }
  const items = 'items' in constant ? constant.items : [constant];
  const numbers = items.map(wholeNumber);
  if (!numbers.every((number) => number !== null) || numbers.length > 2) return;
  const [max, min = 0] = numbers.toReversed();
  // A negative number was probably not meant to pause the endpoint.
  if (max === undefined || (Math.min(min, max) < 0 && Math.max(min, max) <= 0)) return;
  const newText = workersPair(place.declaration, Math.max(0, Math.min(min, max)), Math.max(min, max));
  const isPair = constant.type !== 'set' && items.every(({ type }) => type === 'integer');
  const safe = isPair && min > max && max >= 0;
  yield {
    title: `Change workers to ${newText}`,
    edits: (safe && swapped(source, expression)) || [{ range: expression.range, newText }],
    safe,
    preferred: true,
  };
}

/** Swaps two items, which keeps names of constants, comments and line breaks. */
function swapped(source: SourceText, expression: Expression): TextEdit[] | null {
  if (expression.kind !== 'sequence' || expression.items.length !== 2) return null;
  const [first, second] = expression.items.map(({ range }) => range);
  return [
    { range: first!, newText: source.slice(second!) },
    { range: second!, newText: source.slice(first!) },
  ];
}
