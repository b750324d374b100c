import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import type { Decorator, FileFacts } from '../binder/FileFacts.ts';
import type { Entity, NameResolver } from '../declarations/NameResolver.ts';
import { nearest } from '../declarations/nearest.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { decoratorAt } from '../fixes/findPlace.ts';
import type { Finding } from './Finding.ts';

const VERBS: ReadonlySet<string> = new Set(ROUTE_VERBS);

/**
 * A function is decorated like a route, but the name before the dot is not an endpoint, so the route would not be
 * served. Routes of other frameworks are not reported.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @app.get("/health")
 * def health():
 *     """Say that the service is up."""
 *
 * @api.get("/items")
 * def items():
 *     """List the items."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/health")
 * def health():
 *     """Say that the service is up."""
 *
 * @api.get("/items")
 * def items():
 *     """List the items."""
 * ```
 */
export const notAnEndpoint: Finding = {
  code: 'not-an-endpoint',
  severity: 'warning',
  chapter: 'Routes',
  *find(index) {
    const { file, facts, names } = index;
    // Checks only files that may declare endpoints or add routes to them.
    if (!facts || index.ask.declared(file) === null) return;
    for (const { scope, decorators } of facts.definitions) {
      for (const decorator of decorators) {
        const owner = routeOwner(decorator);
        if (!owner || index.isEndpointClass(scope, decorator.path!) || index.isInstance(scope, owner))
          continue;
        const what = whatIsWrong(names, facts, scope, owner);
        if (what === null) continue;
        const instances = namesOf(facts).filter((name) => index.isInstance(0, [name]));
        const meant = nearest(owner[0]!, instances) ?? instances[0];
        yield {
          file,
          range: decorator.pathRange,
          message: `${owner.join('.')} ${what}, so this route would not be served.`,
          fix: meant
            ? `Write @${meant}.${decorator.path!.at(-1)}(...).`
            : 'Declare an endpoint, for example api = Endpoint(name="my-api"), and use its routes.',
        };
      }
    }
  },
  fixes: [nearestInstance],
};

/** The name before the verb of a route decorator; null for any other decorator. */
function routeOwner({ path, call }: Decorator): string[] | null {
  if (!path || path.length < 2 || !call || !VERBS.has(path.at(-1)!)) return null;
  const [first] = call.arguments;
  return first?.value.kind === 'string' && first.value.value.startsWith('/') ? path.slice(0, -1) : null;
}

function namesOf({ scopes }: FileFacts): string[] {
  return Object.keys(scopes[0]!.bindings);
}

/**
 * What is wrong with a name; null when it may belong to another package, or when its value is known only when
 * the code runs.
 */
function whatIsWrong(names: NameResolver, facts: FileFacts, scope: number, path: readonly string[]) {
  const entities = names.resolve(facts.file, scope, path);
  if (entities.length > 0) {
    const reasons = entities.map(reasonOf);
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  return isUnbound(names, facts, scope, path) ? 'is not defined' : null;
}

function reasonOf(entity: Entity): string | null {
  switch (entity.kind) {
    case 'sdk':
      return entity.path.at(-1) === 'Endpoint' ? 'is the class Endpoint, not an instance of it' : null;
    case 'module':
      return 'is a module, not an instance of Endpoint';
    case 'value':
      return /^(?:string|number|boolean|none|sequence)$/.test(entity.expression.kind)
        ? 'is not an instance of Endpoint'
        : null;
    default:
      return null;
  }
}

/**
 * Whether nothing binds a name. A star import may bind any name, and so may `__getattr__` in the module that
 * the name is imported from.
 */
function isUnbound(names: NameResolver, facts: FileFacts, scope: number, path: readonly string[]): boolean {
  if (facts.scopes.some(({ stars }) => stars.length > 0)) return false;
  const bindings = facts.scopes
    .filter((_, at) => at === 0 || at === scope)
    .flatMap((here) => (Object.hasOwn(here.bindings, path[0]!) ? here.bindings[path[0]!]! : []));
  return bindings.every((binding) => {
    if (binding.kind !== 'member') return false;
    const stem = names.modules.resolve(binding.target, facts.file);
    const file = stem === null ? null : names.modules.fileOf(stem);
    const module = file === null ? undefined : names.factsOf(file)?.scopes[0];
    return (
      module !== undefined && module.stars.length === 0 && !Object.hasOwn(module.bindings, '__getattr__')
    );
  });
}

/** The instance of the file that was probably meant. */
function* nearestInstance({ index, found }: FixRequest): Fixes {
  const { file, range } = found;
  const facts = index.names.factsOf(file);
  const path = decoratorAt({ index, found })?.decorator.path;
  if (!facts || !path) return;
  const instances = namesOf(facts).filter((name) => index.instancesOf(file, 0, [name]).length === 1);
  const near = nearest(path[0]!, instances);
  const meant = near ?? (instances.length === 1 ? instances[0]! : null);
  if (meant === null) return;
  const newText = `${meant}.${path.at(-1)}`;
  yield { title: `Change to @${newText}(...)`, edits: [{ range, newText }], preferred: near !== null };
}
