/**
 * Subclasses and partials of `Endpoint` → findings: a warning where one is created, and an error where one
 * declares an endpoint, because that endpoint is not found.
 */
import type { FileFacts } from '../binder/FileFacts.ts';
import type { EndpointNames } from './EndpointNames.ts';
import type { Misuse } from './Misuse.ts';
import type { ModuleCall } from './moduleCalls.ts';
import type { Entity } from './NameResolver.ts';
import { leadsOfFile } from './scopeLeads.ts';

const FIX = 'Call Endpoint itself, and pass shared arguments as **SETTINGS from a module-level dict.';

/** The findings of one file, given the calls of its module. */
export function derivedEndpoints(
  facts: FileFacts,
  calls: readonly ModuleCall[],
  names: EndpointNames,
): Misuse[] {
  return [...makersOf(facts, names), ...usesOf(facts, calls, names)];
}

function makersOf(facts: FileFacts, names: EndpointNames): Misuse[] {
  const { file, definitions } = facts;
  const derived = definitions.filter(({ bases }) => bases.length > 0);
  const classes = derived.flatMap(({ bases, scope }) =>
    bases
      .filter(({ path }) => names.isEndpointClass(file, scope, path))
      .map(({ range }) => ({ file, range, ...textsOf('subclass of') })),
  );
  const partials = leadsOfFile(facts, names.names.modules).partials.flatMap(({ call, scope }) => {
    const first = call.arguments[0]?.value;
    if (first?.kind !== 'reference' || !names.isEndpointClass(file, scope, first.path)) return [];
    return [{ file, range: call.range, ...textsOf('partial of') }];
  });
  return [...classes, ...partials];
}

function textsOf(what: string) {
  return {
    code: 'endpoint-as-value',
    message: `Endpoints that are declared with a ${what} Endpoint are not found.`,
    fix: FIX,
  } as const;
}

/** Decorators and assigned calls with which the module would declare an endpoint. */
function usesOf({ file }: FileFacts, calls: readonly ModuleCall[], names: EndpointNames): Misuse[] {
  return calls.flatMap(({ callee, calleeRange: range, entities }): Misuse[] => {
    if (!entities.some((entity) => isDerived(entity, names))) return [];
    const message = `${callee.join('.')} is derived from Endpoint, but only declarations that call Endpoint itself are found, so this endpoint would not be deployed.`;
    return [{ code: 'unsupported-form', file, range, message, fix: FIX }];
  });
}

/** Whether an entity is a subclass of `Endpoint` or a partial of it. */
export function isDerived(entity: Entity, names: EndpointNames): boolean {
  if (entity.kind === 'definition') {
    const { bases, scope } = entity.definition;
    return bases.some(({ path }) => names.isEndpointClass(entity.file, scope, path));
  }
  if (entity.kind !== 'value' || entity.expression.kind !== 'call') return false;
  const { callee, arguments: given } = entity.expression.call;
  const first = given[0]?.value;
  return (
    callee.at(-1) === 'partial' &&
    first?.kind === 'reference' &&
    names.isEndpointClass(entity.file, entity.scope, first.path)
  );
}
