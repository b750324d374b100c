/**
 * Endpoints that a function makes → findings. They are not declarations, since a worker does not call the function;
 * where one of them reaches its module, what was written would be lost.
 */
import type { RelatedLocation } from '../../contract/diagnostic.ts';
import type { Definition, FileFacts, Scope } from '../binder/FileFacts.ts';
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
  let kept: ReadonlyMap<Definition, Reached> | null = null;
  return locals.map((local): Misuse => {
    const facts = names.factsOf(local.file)!;
    const name = local.isInLambda ? '<lambda>' : functionAround(facts, local.scope)!.name;
    const place = { file: local.file, range: local.call.range, fix: FIX };
    const leaving = leavesOf(local, facts);
    const global = leaving.find(({ by }) => by === 'global');
    const maker = facts.definitions.find(({ body }) => body === local.scope);
    const returned =
      leaving.length > 0 && maker ? (kept ??= keptResults(files, names)).get(maker) : undefined;
    const reached = global ? { name: global.name, related: [] } : returned;
    if (!reached) return { ...place, ...inFunction('endpoint', name) };
    const message = `${reached.name} gets the endpoint that the function ${name} makes, and a worker does not call ${name}.`;
    return { ...place, code: 'unsupported-form', message, related: reached.related };
  });
}

/** What is said of an endpoint or route in a function. */
export function inFunction(what: 'endpoint' | 'route', name: string): Pick<Misuse, 'code' | 'message'> {
  return {
    code: 'endpoint-in-function',
    message: `This ${what} is inside the function ${name}, which a worker does not call, so it is not deployed.`,
  };
}

/** A name of a module that gets an endpoint. */
interface Reached {
  name: string;
  related: RelatedLocation[];
}

/** The ways by which an endpoint leaves the function that makes it. */
function leavesOf({ scope, call, served }: Declaration, { scopes, definitions, looseCalls }: FileFacts) {
  const { bindings, leaves = [] } = scopes[scope]!;
  if (looseCalls.some((loose) => loose.call === call && loose.isReturned))
    return [{ name: '', by: 'return' as const }];
  return leaves.filter(({ name }) =>
    (Object.hasOwn(bindings, name) ? bindings[name]! : []).some((binding) => {
      if (binding.kind === 'value')
        return binding.expression.kind === 'call' && binding.expression.call === call;
      return (
        binding.kind === 'definition' &&
        served.some(({ definition }) => definition === definitions[binding.definition])
      );
    }),
  );
}

/** The functions that modules call for the value of a name. */
function keptResults(files: readonly FileFacts[], names: NameResolver): ReadonlyMap<Definition, Reached> {
  const kept = new Map<Definition, Reached>();
  for (const facts of files) {
    const { file, scopes } = facts;
    for (const [scope, { bindings }] of scopes.entries()) {
      if (functionAround(facts, scope)) continue;
      for (const [name, bound] of Object.entries(bindings)) {
        for (const binding of bound) {
          if (binding.kind !== 'value' || binding.expression.kind !== 'call' || binding.guard) continue;
          const { callee, range } = binding.expression.call;
          const related = [{ file, range, message: `${name} gets the endpoint here.` }];
          for (const entity of names.resolve(file, scope, callee))
            if (entity.kind === 'definition') kept.set(entity.definition, { name, related });
        }
      }
    }
  }
  return kept;
}
