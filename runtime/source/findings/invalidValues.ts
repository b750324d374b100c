/** Arguments with invalid values → findings at their expressions, or at the faulty items inside them. */
import type { Range } from '../../contract/diagnostic.ts';
import type { Expression } from '../binder/Expression.ts';
import { outcomesOf, type TableKey } from '../declarations/Declaration.ts';
import type { FileIndex } from './FileIndex.ts';
import type { FoundText } from './Finding.ts';

/** Yields a finding for each of the given arguments that has an invalid value. */
export function* invalidValues({ declarations }: FileIndex, keys: readonly TableKey[]): Iterable<FoundText> {
  for (const declaration of declarations) {
    const { file, given, call } = declaration;
    const outcomes = outcomesOf(declaration);
    for (const key of keys) {
      const outcome = outcomes[key];
      if (outcome.state !== 'invalid') continue;
      // A required argument that is missing is reported at its declaration.
      const range = given[key] ? itemRange(given[key].expression, outcome.item) : call.calleeRange;
      yield { file, range, message: `${outcome.problem}.`, fix: outcome.fix };
    }
  }
}

/**
 * An item's own range when the list or dict is written in the call; otherwise the range of the whole value.
 */
export function itemRange(expression: Expression, item: number | undefined): Range {
  const { kind, range } = expression;
  if (item === undefined) return range;
  if (kind === 'sequence' && expression.items.every((one) => one.kind !== 'spread')) {
    return expression.items[item]?.range ?? range;
  }
  if (kind === 'dict' && expression.entries.every(({ key }) => key !== null)) {
    return expression.entries[item]?.value.range ?? range;
  }
  return range;
}
