/**
 * Endpoints that a function makes → findings. They are not declarations, since a worker does not call the function;
 * where one of them reaches its module, what was written would be lost.
 */
import type { RelatedLocation } from '../../contract/diagnostic.ts';
import type { FileFacts, Scope } from '../binder/FileFacts.ts';
import type { Declaration } from './Declaration.ts';
import type { Misuse } from './findMisuses.ts';
import type { NameResolver } from './NameResolver.ts';

const FIX = 'Move the declaration to the top level of the module.';

/** The innermost function around a scope, or the scope itself; null at the level of the module and in its classes. */
export function functionAround({ scopes }: FileFacts, scope: number): Scope | null {
  for (let at: number | null = scope; at !== null; at = scopes[at]!.parent)
    if (scopes[at]!.kind === 'function') return scopes[at]!;
  return null;
}

/** A finding for each endpoint made in a function. */
export function endpointsInFunctions(
  locals: readonly Declaration[],
  files: readonly FileFacts[],
  names: NameResolver,
): Misuse[] {
  return locals.map((local): Misuse => {
    const facts = names.factsOf(local.file)!;
    const { name } = functionAround(facts, local.scope)!;
    const place = { file: local.file, range: local.call.range, fix: FIX };
    const reached = reach(local, facts, files, names);
    return reached
      ? {
          ...place,
          code: 'unsupported-form',
          message: `${reached.name} gets the endpoint that the function ${name} makes, and a worker does not call ${name}.`,
          related: reached.related,
        }
      : { ...place, ...inFunction('endpoint', name) };
  });
}

/** What is said of an endpoint or route in a function. */
export function inFunction(what: 'endpoint' | 'route', name: string): Pick<Misuse, 'code' | 'message'> {
  return {
    code: 'endpoint-in-function',
    message: `This ${what} is inside the function ${name}, which a worker does not call, so it is not deployed.`,
  };
}

/** The name of the module that an endpoint is bound to: by `global`, or by calling the function that returns it. */
function reach(
  { scope, call, served }: Declaration,
  facts: FileFacts,
  files: readonly FileFacts[],
  names: NameResolver,
): { name: string; related: RelatedLocation[] } | null {
  const { bindings, leaves = [] } = facts.scopes[scope]!;
  const own = Object.entries(bindings).flatMap(([name, bound]) =>
    bound.some(
      (binding) =>
        (binding.kind === 'value' &&
          binding.expression.kind === 'call' &&
          binding.expression.call === call) ||
        (binding.kind === 'definition' &&
          served.some(({ definition }) => definition === facts.definitions[binding.definition])),
    )
      ? [name]
      : [],
  );
  const leaving = leaves.filter(({ name }) => own.includes(name));
  const byGlobal = leaving.find(({ by }) => by === 'global');
  if (byGlobal) return { name: byGlobal.name, related: [] };
  const isReturned =
    leaving.length > 0 || facts.looseCalls.some((loose) => loose.call === call && loose.isReturned);
  const maker = facts.definitions.find(({ body }) => body === scope);
  if (!isReturned || !maker) return null;
  for (const { file, scopes } of files) {
    const around = scopes.flatMap(({ kind }, at) => (kind === 'module' || kind === 'class' ? [at] : []));
    for (const at of around) {
      for (const [name, bound] of Object.entries(scopes[at]!.bindings)) {
        for (const binding of bound) {
          if (binding.kind !== 'value' || binding.expression.kind !== 'call' || binding.guard !== null)
            continue;
          const { callee, range } = binding.expression.call;
          const made = names.resolve(file, at, callee);
          if (made.some((entity) => entity.kind === 'definition' && entity.definition === maker))
            return { name, related: [{ file, range, message: `${name} gets the endpoint here.` }] };
        }
      }
    }
  }
  return null;
}
