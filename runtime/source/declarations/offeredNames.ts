/**
 * A file → the names that its module exports, through which other files may declare endpoints or add routes
 * to them.
 */
import type { FileFacts } from '../binder/FileFacts.ts';
import { isDerived } from './derivedEndpoints.ts';
import { CLASS, type EndpointNames } from './EndpointNames.ts';
import { madeBy } from './returnedEndpoints.ts';

export interface OfferedNames {
  /**
   * Names by which the module exports the class `Endpoint` or something that creates endpoints, except for
   * the name `Endpoint` itself.
   */
  classNames: readonly string[];
  /** Names by which the module exports instances, or something that contains an instance. */
  instanceNames: readonly string[];
}

/**
 * The names of the module through which other files may declare endpoints or add routes to them, or try to.
 */
export function offeredNames(
  facts: FileFacts,
  assigned: readonly string[],
  endpoints: EndpointNames,
): OfferedNames {
  const { scopes, definitions, leads, looseCalls, looseRoutes } = facts;
  // Most names of a large module are functions and constants that do not need to be followed.
  const returning = new Set(
    [...looseCalls, ...looseRoutes].flatMap(({ isReturned, scope }) => (isReturned ? [scope] : [])),
  );
  const defined = definitions.filter(
    ({ scope, body, bases }) =>
      scope === 0 && (bases.length > 0 || returning.has(body) || scopes[body]!.leaves !== undefined),
  );
  const lambdas = returning.has(0) ? Object.keys(scopes[0]!.bindings).map((name) => ({ name })) : [];
  const names = new Set([...leads.imported, ...leads.given, ...defined, ...lambdas].map(({ name }) => name));
  names.delete(CLASS);
  const kinds = Map.groupBy(names, (name) => offerOf(facts, name, endpoints));
  const instances = withGivenNames(facts, new Set([...assigned, ...(kinds.get('instance') ?? [])]));
  return { classNames: kinds.get('class') ?? [], instanceNames: [...instances] };
}

/**
 * Names by which a file may re-export something that modules export under some names. Uses only the facts of
 * the file, because following names reads the files that they lead to.
 */
export function namesInTurn(facts: FileFacts, offered: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { bindings } of facts.scopes) {
    for (const [name, bound] of Object.entries(bindings))
      if (bound.some((binding) => binding.kind === 'member' && offered.has(binding.name))) names.add(name);
  }
  for (const { name, from } of facts.leads.given) if (offered.has(from)) names.add(name);
  return withGivenNames(facts, names);
}

/** Adds the names of things that contain the names, such as a class. */
function withGivenNames({ leads }: FileFacts, names: Set<string>): ReadonlySet<string> {
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, from } of leads.given) if (names.has(from)) names.add(name);
  }
  return names;
}

/**
 * Whether a name of a module refers to the class `Endpoint` or something that creates endpoints (`class`), or
 * to an instance.
 */
function offerOf(facts: FileFacts, name: string, endpoints: EndpointNames): 'class' | 'instance' | null {
  if (endpoints.isEndpointClass(facts.file, 0, [name])) return 'class';
  if (!endpoints.mayBeOwn(facts, 0, [name])) return null;
  const entities = endpoints.names.resolve(facts.file, 0, [name]);
  if (entities.some((entity) => isDerived(entity, endpoints) || madeBy(entity, true, endpoints) !== null))
    return 'class';
  return entities.some((entity) => endpoints.siteOf(entity) !== null) ? 'instance' : null;
}
