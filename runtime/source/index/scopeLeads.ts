/**
 * What in a scope may lead to an endpoint: names that stand for something of another place, and calls that are
 * assigned. Scopes that an edit has not touched are the same objects, so they are looked through once.
 */
import type { Call } from '../facts/Expression.ts';
import type { FileFacts, Guard, Scope } from '../facts/FileFacts.ts';

interface AssignedCall {
  call: Call;
  guard: Guard | null;
}

interface Leads {
  calls: readonly AssignedCall[];
  names: readonly string[];
}

const ofScope = new WeakMap<Scope, Leads>();
const ofFile = new WeakMap<FileFacts, { names: ReadonlySet<string>; hasStars: boolean }>();

/** The calls that are the whole value of an assignment in a scope, in order of name. */
export function assignedCalls(scope: Scope): readonly AssignedCall[] {
  return leadsOf(scope).calls;
}

/** Whether a name of a file may stand for an import, a value or a class: parameters and functions lead nowhere. */
export function mayLead(facts: FileFacts, name: string): boolean {
  let known = ofFile.get(facts);
  if (!known) {
    const names = new Set(facts.scopes.flatMap((scope) => leadsOf(scope).names));
    known = { names, hasStars: facts.scopes.some(({ stars }) => stars.length > 0) };
    ofFile.set(facts, known);
  }
  return known.hasStars || known.names.has(name);
}

function leadsOf(scope: Scope): Leads {
  const known = ofScope.get(scope);
  if (known) return known;
  const calls: AssignedCall[] = [];
  const names: string[] = [];
  for (const [name, bindings] of Object.entries(scope.bindings)) {
    if (bindings.some(({ kind }) => kind !== 'opaque')) names.push(name);
    for (const binding of bindings) {
      if (binding.kind !== 'value' || binding.expression.kind !== 'call') continue;
      calls.push({ call: binding.expression.call, guard: binding.guard });
    }
  }
  const leads = { calls, names };
  ofScope.set(scope, leads);
  return leads;
}
