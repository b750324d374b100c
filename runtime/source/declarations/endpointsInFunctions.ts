/**
 * Endpoints that a function creates → findings. They are not declarations, since a worker does not call the function.
 * One that a name of its module gets is an error, since it would be lost.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { bindingsOf } from '../binder/bindings.ts';
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from './Declaration.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { functionAround } from './functionAround.ts';
import type { Misuse } from './Misuse.ts';
import type { AssignedCall } from './scopeLeads.ts';

const FIX = 'Move the declaration to the top level of the module.';

/** The finding for an endpoint that a function of the file creates. */
export function endpointInFunction(local: Declaration, facts: FileFacts): Misuse {
  const name = local.isInLambda ? '<lambda>' : functionAround(facts, local.scope)!.name;
  const place = { file: local.file, range: local.call.range, fix: FIX };
  const global = leavesOf(local, facts).find(({ by }) => by === 'global');
  if (!global) return { ...place, ...inFunction('endpoint', name) };
  const message = `${global.name} gets the endpoint that the function ${name} makes, and a worker does not call ${name}.`;
  return { ...place, code: 'unsupported-form', message };
}

/**
 * Findings for names of the module that get an endpoint from a function, in this file or in another one; `assigned` are
 * the calls whose values they get.
 */
export function returnedEndpoints(
  facts: FileFacts,
  assigned: readonly AssignedCall[],
  names: EndpointNames,
): Misuse[] {
  return assigned.flatMap(({ name, scope, call }) => {
    if (!names.mayBeOwn(facts, scope, call.callee)) return [];
    return names.names.resolve(facts.file, scope, call.callee).flatMap((entity): Misuse[] => {
      const made = entity.kind === 'definition' ? returnedBy(entity.file, entity.definition, names) : null;
      if (!made || entity.kind !== 'definition') return [];
      return [
        {
          code: 'unsupported-form',
          file: facts.file,
          range: call.range,
          message: `${name} gets an endpoint from the function ${entity.definition.name}, and only endpoints that a module declares itself are found, so this one would be lost.`,
          fix: FIX,
          related: [{ file: entity.file, range: made, message: 'The endpoint is made here.' }],
        },
      ];
    });
  });
}

/** Where a function creates an endpoint that it returns; null if it returns none. */
function returnedBy(file: string, { body }: Definition, names: EndpointNames): Range | null {
  const { scopes, definitions, looseCalls } = names.names.factsOf(file)!;
  const isEndpoint = (path: readonly string[] | null) =>
    path !== null && names.isEndpointClass(file, body, path);
  const whole = looseCalls.find(
    ({ call, scope, isReturned }) => isReturned && scope === body && isEndpoint(call.callee),
  );
  if (whole) return whole.call.range;
  const { bindings, leaves = [] } = scopes[body]!;
  const returned = leaves.filter(({ by }) => by === 'return');
  for (const binding of returned.flatMap(({ name }) => bindingsOf(bindings, name))) {
    if (binding.kind === 'value' && binding.expression.kind === 'call') {
      const { call } = binding.expression;
      if (isEndpoint(call.callee)) return call.range;
    }
    if (binding.kind !== 'definition') continue;
    const decorator = definitions[binding.definition]!.decorators.find(({ path }) => isEndpoint(path));
    if (decorator) return (decorator.call ?? decorator).range;
  }
  return null;
}

/** Code and message for an endpoint or route in a function. */
export function inFunction(what: 'endpoint' | 'route', name: string): Pick<Misuse, 'code' | 'message'> {
  return {
    code: 'endpoint-in-function',
    message: `This ${what} is inside the function ${name}, which a worker does not call, so it is not deployed.`,
  };
}

/** How an endpoint leaves the function that creates it. */
function leavesOf({ scope, call, served }: Declaration, { scopes, definitions }: FileFacts) {
  const { bindings, leaves = [] } = scopes[scope]!;
  return leaves.filter(({ name }) =>
    bindingsOf(bindings, name).some((binding) => {
      if (binding.kind === 'value')
        return binding.expression.kind === 'call' && binding.expression.call === call;
      return (
        binding.kind === 'definition' &&
        served.some(({ definition }) => definition === definitions[binding.definition])
      );
    }),
  );
}
