/**
 * Calls through which a module gets an endpoint or a route from a function, in this or another file → errors,
 * because endpoints and routes that a function creates are not found.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import { bindingsOf } from '../binder/bindings.ts';
import type { Definition, FileFacts } from '../binder/FileFacts.ts';
import { contains } from '../syntax/range.ts';
import type { EndpointNames } from './EndpointNames.ts';
import { FIX, lost } from './endpointsInFunctions.ts';
import type { Misuse } from './Misuse.ts';
import type { ModuleCall } from './moduleCalls.ts';
import type { Entity } from './NameResolver.ts';

/** What a function creates and returns, and where. */
interface Made {
  what: 'endpoint' | 'route';
  range: Range;
}

/** The findings of one file, given the calls of its module. */
export function returnedEndpoints(
  { file }: FileFacts,
  calls: readonly ModuleCall[],
  names: EndpointNames,
): Misuse[] {
  return calls.flatMap(({ name, by, callee, range, entities }) =>
    entities.flatMap((entity): Misuse[] => {
      const made = madeBy(entity, by === 'called decorator', names);
      if (!made) return [];
      const { what } = made;
      const maker = entity.kind === 'definition' ? entity.definition.name : callee.join('.');
      return [
        {
          code: 'unsupported-form',
          file,
          range,
          message: `The function ${maker} creates ${what === 'endpoint' ? 'the endpoint' : 'the route'} of ${name}. ${lost(what)}`,
          fix: FIX,
          related: [{ file: made.file, range: made.range, message: `The ${what} is created here.` }],
        },
      ];
    }),
  );
}

/**
 * What a call of an entity creates; null if the entity is not a function that creates an endpoint or a route.
 *
 * @param isCalled - Whether the value that the function returns is also called.
 */
export function madeBy(
  entity: Entity,
  isCalled: boolean,
  names: EndpointNames,
): (Made & { file: string }) | null {
  if (entity.kind !== 'definition' && entity.kind !== 'value') return null;
  const { file } = entity;
  const facts = names.names.factsOf(file)!;
  const made =
    entity.kind === 'definition'
      ? returnedBy(facts, entity.definition, isCalled, names)
      : inLambda(facts, entity.expression, names);
  return made && { ...made, file };
}

/** Finds the endpoint that a lambda returns. A lambda is an opaque expression. */
function inLambda(
  { file, looseCalls }: FileFacts,
  { kind, range }: Extract<Entity, { kind: 'value' }>['expression'],
  names: EndpointNames,
): Made | null {
  if (kind !== 'opaque') return null;
  const found = looseCalls.find(
    ({ call, scope, isReturned, isInLambda }) =>
      isReturned &&
      isInLambda &&
      contains(range, call.range) &&
      names.isEndpointClass(file, scope, call.callee),
  );
  return found ? { what: 'endpoint', range: found.call.range } : null;
}

function returnedBy(
  facts: FileFacts,
  { body }: Definition,
  isCalled: boolean,
  names: EndpointNames,
): Made | null {
  const { scopes, definitions, looseCalls, looseRoutes } = facts;
  const whole = [...looseCalls, ...looseRoutes].filter(
    (one) => one.isReturned && one.scope === body && !('isInLambda' in one),
  );
  for (const { call } of whole) {
    const what = whatMakes(facts, body, call.callee, names);
    if (what) return { what, range: call.range };
  }
  const { bindings, leaves = [] } = scopes[body]!;
  const returned = leaves.filter(({ by }) => by === 'return');
  for (const binding of returned.flatMap(({ name }) => bindingsOf(bindings, name))) {
    if (binding.kind === 'value' && binding.expression.kind === 'call') {
      const { call } = binding.expression;
      const what = whatMakes(facts, body, call.callee, names);
      if (what) return { what, range: call.range };
    }
    if (binding.kind !== 'definition') continue;
    const definition = definitions[binding.definition]!;
    for (const { path, call, range } of definition.decorators) {
      const what = path && whatMakes(facts, body, path, names);
      if (what) return { what, range: (call ?? { range }).range };
    }
    const inner =
      isCalled && definition.kind === 'function' ? returnedBy(facts, definition, false, names) : null;
    if (inner) return inner;
  }
  return null;
}

/** What a call of a path in a function creates; null for anything else. */
function whatMakes(
  { file }: FileFacts,
  scope: number,
  path: readonly string[],
  names: EndpointNames,
): Made['what'] | null {
  if (names.isEndpointClass(file, scope, path)) return 'endpoint';
  const isVerb = path.length > 1 && ROUTE_VERBS.some((verb) => verb === path.at(-1));
  return isVerb && names.callsOf(file, scope, path.slice(0, -1)).length > 0 ? 'route' : null;
}
