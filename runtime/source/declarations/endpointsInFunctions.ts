/**
 * Endpoints that a function creates → findings. They are not declarations, because only the top level of a
 * module can declare endpoints. An endpoint that is assigned to a `global` name is an error, because it would
 * not be deployed.
 */
import { bindingsOf } from '../binder/bindings.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { Declaration } from './Declaration.ts';
import { functionAround } from './functionAround.ts';
import type { Misuse } from './Misuse.ts';

/** The fix for an endpoint or route that a function creates. */
export const FIX = 'Move the declaration to the top level of the module.';

/** The finding for an endpoint that a function in the file creates. */
export function endpointInFunction(local: Declaration, facts: FileFacts): Misuse {
  const name = local.isInLambda ? '<lambda>' : functionAround(facts, local.scope)!.name;
  const place = { file: local.file, range: local.call.range, fix: FIX };
  const global = leavesOf(local, facts).find(({ by }) => by === 'global');
  if (!global) return { ...place, ...inFunction('endpoint', name) };
  const message = `The function ${name} assigns an endpoint to ${global.name}. ${lost('endpoint')}`;
  return { ...place, code: 'unsupported-form', message };
}

/** A sentence: why getting an endpoint or route from a function is an error. */
export function lost(what: 'endpoint' | 'route'): string {
  return `Only ${what}s at the top level of a module are found, so this one would not be deployed.`;
}

/** Code and message for an endpoint or route in a function. */
export function inFunction(what: 'endpoint' | 'route', name: string): Pick<Misuse, 'code' | 'message'> {
  return {
    code: 'endpoint-in-function',
    message: `This ${what} is inside the function ${name}, but only declarations at the top level of a module are deployed.`,
  };
}

/** The names through which an endpoint leaves the function that creates it. */
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
