/** An argument whose value cannot be → a finding at its expression, or at the faulty item inside of it. */
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostic.ts';
import type { Outcome } from '../declarations/argumentValues.ts';
import type { Declaration, GivenArgument } from '../declarations/Declaration.ts';
import { finding } from './Finding.ts';

/** No finding unless the outcome is invalid. */
export function invalidOutcome(
  code: DiagnosticCode,
  { file, call }: Declaration,
  argument: GivenArgument | undefined,
  outcome: Outcome<unknown>,
): Diagnostic[] {
  if (outcome.state !== 'invalid') return [];
  // What must be given and is not has no place but its declaration's.
  const range = argument
    ? (itemRange(argument, outcome.item) ?? argument.expression.range)
    : call.calleeRange;
  return [finding(code, { file, range, message: `${outcome.problem}.`, fix: outcome.fix })];
}

/** The item's own place when the list or dict is written in the call. */
function itemRange({ expression }: GivenArgument, item: number | undefined) {
  if (item === undefined) return null;
  if (expression.kind === 'sequence' && expression.items.every(({ kind }) => kind !== 'spread')) {
    return expression.items[item]?.range ?? null;
  }
  if (expression.kind === 'dict' && expression.entries.every(({ key }) => key !== null)) {
    return expression.entries[item]?.value.range ?? null;
  }
  return null;
}
