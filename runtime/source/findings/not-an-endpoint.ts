/** A decorator like a route's on something of the project that is no instance of Endpoint. */
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import type { Decorator, FileFacts } from '../binder/FileFacts.ts';
import type { Entity, NameResolver } from '../declarations/NameResolver.ts';
import { nearest } from '../declarations/nearest.ts';
import { finding, type Rule } from './Finding.ts';

const VERBS: ReadonlySet<string> = new Set(ROUTE_VERBS);

export const notAnEndpoint: Rule = (index) => {
  if (!index.isCandidate) return [];
  const { file, facts, names } = index;
  if (!facts) return [];
  return facts.definitions.flatMap(({ scope, decorators }) =>
    decorators.flatMap((decorator) => {
      const owner = routeOwner(decorator);
      if (!owner || index.isEndpointClass(scope, decorator.path!) || index.isInstance(scope, owner))
        return [];
      const what = whatIsWrong(names, facts, scope, owner);
      if (what === null) return [];
      const instances = Object.keys(facts.scopes[0]!.bindings).filter((name) => index.isInstance(0, [name]));
      const meant = nearest(owner[0]!, instances) ?? instances[0];
      return [
        finding('not-an-endpoint', {
          file,
          range: decorator.pathRange,
          message: `${owner.join('.')} ${what}, so this route would not be served.`,
          fix: meant
            ? `Write @${meant}.${decorator.path!.at(-1)}(...).`
            : 'Declare an instance, for example api = Endpoint(name="my-api"), and use its routes.',
        }),
      ];
    }),
  );
};

/** What a route decorator stands for without its verb. */
function routeOwner({ path, call }: Decorator): string[] | null {
  if (!path || path.length < 2 || !call || !VERBS.has(path.at(-1)!)) return null;
  const [first] = call.arguments;
  return first?.value.kind === 'string' && first.value.value.startsWith('/') ? path.slice(0, -1) : null;
}

/** Null whenever it may be something of another package or something that only running the code could tell. */
function whatIsWrong(names: NameResolver, facts: FileFacts, scope: number, path: readonly string[]) {
  const entities = names.resolve(facts.file, scope, path);
  if (entities.length > 0) {
    const reasons = entities.map(reasonOf);
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  return isUnbound(names, facts, scope, path) ? 'is defined nowhere' : null;
}

function reasonOf(entity: Entity): string | null {
  switch (entity.kind) {
    case 'sdk':
      return entity.path.at(-1) === 'Endpoint' ? 'is the class Endpoint and no instance of it' : null;
    case 'module':
      return 'is a module and no instance of Endpoint';
    case 'value':
      return /^(?:string|number|boolean|none|sequence)$/.test(entity.expression.kind)
        ? 'is no instance of Endpoint'
        : null;
    default:
      return null;
  }
}

/** A star import of another package may bind any name, and so may code in a module that the name comes from. */
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
