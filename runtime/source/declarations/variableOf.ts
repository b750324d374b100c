/** A declaration → the variable in its module through which routes are added to it. */
import type { Declaration } from './Declaration.ts';
import type { NameResolver } from './NameResolver.ts';

/** Null unless exactly one name, which is assigned once, refers to the instance. */
export function variableOf(names: NameResolver, { file, call, scope }: Declaration): string | null {
  const bindings = names.factsOf(file)?.scopes[scope]?.bindings ?? {};
  for (const [name, bound] of Object.entries(bindings)) {
    const [only] = bound;
    if (bound.length !== 1 || only?.kind !== 'value' || only.expression.kind !== 'call') continue;
    if (only.expression.call === call) return name;
  }
  return null;
}
