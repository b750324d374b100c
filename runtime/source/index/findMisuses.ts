/** One file's facts → uses of `Endpoint` that nothing could make a declaration of, so that none is lost silently. */
import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../facts/FileFacts.ts';
import type { Declaration } from './Declaration.ts';

/** A use of `Endpoint` that no worker could serve. */
export interface Misuse {
  file: string;
  range: Range;
  message: string;
  fix: string;
}

/** What the project's index tells of names. */
interface Names {
  isEndpointClass(file: string, scope: number, path: readonly string[]): boolean;
  instancesOf(file: string, scope: number, path: readonly string[]): readonly Declaration[];
}

const SHARED_ARGUMENTS =
  'Call Endpoint itself, with shared arguments as **SETTINGS from a dict of the module.';

/** Classes derived from `Endpoint`, partials of it, routes that decorate nothing, and instances that are called. */
export function findMisuses(facts: FileFacts, names: Names): Misuse[] {
  return [
    ...subclasses(facts, names),
    ...partials(facts, names),
    ...looseRoutes(facts, names),
    ...calledInstances(facts, names),
  ];
}

function subclasses({ file, definitions }: FileFacts, names: Names): Misuse[] {
  return definitions.flatMap(({ bases, scope }) =>
    bases
      .filter(({ path }) => names.isEndpointClass(file, scope, path))
      .map(({ range }) => ({
        file,
        range,
        message: 'Declarations by a class derived from Endpoint cannot be read without running it.',
        fix: SHARED_ARGUMENTS,
      })),
  );
}

function partials({ file, scopes }: FileFacts, names: Names): Misuse[] {
  return scopes.flatMap(({ bindings }, scope) =>
    Object.values(bindings)
      .flat()
      .flatMap((binding) => {
        if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
        const { call } = binding.expression;
        const first = call.arguments[0]?.value;
        if (call.callee.at(-1) !== 'partial' || first?.kind !== 'reference') return [];
        if (!names.isEndpointClass(file, scope, first.path)) return [];
        return [
          {
            file,
            range: call.range,
            message: 'Declarations by a partial of Endpoint cannot be read without running it.',
            fix: SHARED_ARGUMENTS,
          },
        ];
      }),
  );
}

/** Only a decorator on a function says what a route runs. */
function looseRoutes({ file, looseRoutes: calls }: FileFacts, names: Names): Misuse[] {
  return calls
    .filter(({ call, scope }) => names.instancesOf(file, scope, call.callee.slice(0, -1)).length > 0)
    .map(({ call }) => ({
      file,
      range: call.range,
      message: 'A route is read only where it decorates a function, so this one would be lost.',
      fix: `Write @${call.callee.join('.')}(...) above the function that it runs.`,
    }));
}

function calledInstances({ file, looseCalls, scopes }: FileFacts, names: Names): Misuse[] {
  const assigned = scopes.flatMap(({ bindings }, scope) =>
    Object.values(bindings)
      .flat()
      .flatMap((binding) =>
        binding.kind === 'value' && binding.expression.kind === 'call'
          ? [{ call: binding.expression.call, scope }]
          : [],
      ),
  );
  return [...looseCalls, ...assigned]
    .filter(({ call, scope }) => names.instancesOf(file, scope, call.callee).length > 0)
    .map(({ call }) => ({
      file,
      range: call.range,
      message: 'A declaration is read only where it decorates a function, so this one would be lost.',
      fix: `Write @${call.callee.join('.')} above the function that it serves.`,
    }));
}
