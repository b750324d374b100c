/** A file's facts → calls whose value a name of the module, or of one of its classes, gets whenever it is imported. */
import type { Call } from '../binder/Expression.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import { functionAround } from './functionAround.ts';

export interface FoundCall {
  name: string;
  scope: number;
  call: Call;
}

export function moduleCalls(facts: FileFacts): FoundCall[] {
  return facts.scopes.flatMap(({ kind, bindings }, scope) => {
    if (kind === 'function' || functionAround(facts, scope)) return [];
    return Object.entries(bindings).flatMap(([name, bound]) =>
      bound.flatMap((binding): FoundCall[] => {
        if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
        const { guard, expression } = binding;
        return isRun(guard) ? [{ name, scope, call: expression.call }] : [];
      }),
    );
  });
}
