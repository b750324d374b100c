/**
 * Classes derived from `Endpoint` and partials of it → findings: a warning where one is made, and an error where one
 * declares something, since that is not found.
 */
import type { Call, Expression } from '../binder/Expression.ts';
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import { functionAround } from './endpointsInFunctions.ts';
import type { Misuse, Names } from './findMisuses.ts';
import { leadsOfFile } from './scopeLeads.ts';

const FIX = 'Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.';

type Derived = Definition | Expression | Call;

/** Findings of all files. */
export function derivedEndpoints(files: readonly FileFacts[], names: Names): Misuse[] {
  const derived = new Set<Derived>();
  const made = files.flatMap((facts) => makersOf(facts, names, derived));
  return derived.size === 0 ? [] : [...made, ...files.flatMap((facts) => usesOf(facts, names, derived))];
}

function makersOf(facts: FileFacts, names: Names, derived: Set<Derived>): Misuse[] {
  const { file, definitions } = facts;
  const classes = definitions.flatMap((definition) =>
    definition.bases
      .filter(({ path }) => names.isEndpointClass(file, definition.scope, path))
      .map(({ range }) => {
        derived.add(definition);
        return { file, range, ...textsOf('class derived from') };
      }),
  );
  const partials = leadsOfFile(facts, names.names.modules).partials.flatMap(({ call, scope }) => {
    const first = call.arguments[0]?.value;
    if (first?.kind !== 'reference' || !names.isEndpointClass(file, scope, first.path)) return [];
    derived.add(call);
    return [{ file, range: call.range, ...textsOf('partial of') }];
  });
  return [...classes, ...partials];
}

function textsOf(what: string) {
  return {
    code: 'endpoint-as-value',
    message: `Endpoints that are declared by a ${what} Endpoint are not found.`,
    fix: FIX,
  } as const;
}

/** Decorators and assigned calls by which a worker's module would declare something. */
function usesOf(facts: FileFacts, names: Names, derived: ReadonlySet<Derived>): Misuse[] {
  const { file, definitions, scopes } = facts;
  const decorators = definitions.flatMap(({ scope, guard, decorators: each }) =>
    each.map(({ path, pathRange }) => ({ scope, guard, path: path ?? [], range: pathRange })),
  );
  const calls = scopes.flatMap(({ bindings }, scope) =>
    Object.values(bindings)
      .flat()
      .flatMap((binding) => {
        if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
        const { callee: path, calleeRange: range } = binding.expression.call;
        return [{ scope, guard: binding.guard, path, range }];
      }),
  );
  return [...decorators, ...calls].flatMap(({ scope, guard, path, range }): Misuse[] => {
    if (guard === 'main' || guard === 'type-checking' || functionAround(facts, scope)) return [];
    const isDerived = names.names.resolve(file, scope, path).some((entity) => {
      if (entity.kind === 'definition') return derived.has(entity.definition);
      return (
        entity.kind === 'value' && entity.expression.kind === 'call' && derived.has(entity.expression.call)
      );
    });
    if (!isDerived) return [];
    const message = `${path.join('.')} is made from Endpoint, and only what Endpoint itself declares is found, so this endpoint would be lost.`;
    return [{ code: 'unsupported-form', file, range, message, fix: FIX }];
  });
}
