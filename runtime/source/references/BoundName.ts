/** A name in one scope of one file, and the names that it comes from through imports. */
import { bindingsOf } from '../binder/bindings.ts';
import { isExported } from '../binder/exportedTexts.ts';
import type { Binding, FileFacts, ImportTarget } from '../binder/FileFacts.ts';
import { type LexicalScope, ownerOf, scopesAround } from '../binder/LexicalScope.ts';
import type { NameUse } from '../binder/NameUse.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import { scopeInFacts } from './nameUses.ts';

/** A name that a scope binds; `scope` is an index of the file's facts. */
export interface BoundName {
  file: string;
  scope: number;
  name: string;
}

/** Whether two names are the same name in the same scope. */
export function isSameName(a: BoundName, b: BoundName): boolean {
  return a.file === b.file && a.scope === b.scope && a.name === b.name;
}

/**
 * How far names are followed: to where the object is defined (`thing`), or only to where it got the name that
 * is used here (`name`).
 */
export type FollowTo = 'thing' | 'name';

/**
 * The origins of a name: the name itself, or the names that its imports lead to. Several when it is bound
 * more than once; none when nothing binds it.
 */
export function originsOf(
  names: NameResolver,
  bound: BoundName,
  to: FollowTo,
  answers: Map<string, BoundName[]> = new Map(),
): BoundName[] {
  const key = `${bound.file}:${bound.scope}:${bound.name}`;
  const known = answers.get(key);
  if (known) return known;
  // Each name is followed once, because modules that star-import each other form too many paths. A cycle adds
  // nothing.
  answers.set(key, []);
  const found = distinctNames(stepsFrom(names, bound, to, answers));
  answers.set(key, found);
  return found;
}

function stepsFrom(
  names: NameResolver,
  bound: BoundName,
  to: FollowTo,
  answers: Map<string, BoundName[]>,
): BoundName[] {
  const follow = (target: ImportTarget, name: string, isStar = false): BoundName[] => {
    const file = moduleFile(names, target, bound.file);
    if (file === null || (isStar && !isExported(names.factsOf(file), name))) return [];
    return originsOf(names, { file, scope: 0, name }, to, answers);
  };
  const bindings = boundTo(names, bound);
  if (bindings.length === 0) {
    const stars = names.factsOf(bound.file)?.scopes[bound.scope]?.stars ?? [];
    return stars.flatMap((star) => follow(star, bound.name, true));
  }
  return bindings.flatMap((binding) => {
    if (binding.kind !== 'member' || (to === 'name' && binding.name !== bound.name)) return [bound];
    const origins = follow(binding.target, binding.name);
    return origins.length > 0 ? origins : [bound];
  });
}

/** The origins of one use of a name in a file. */
export function originsOfUse(names: NameResolver, file: string, use: NameUse, to: FollowTo): BoundName[] {
  const facts = names.factsOf(file);
  if (!facts) return [];
  const written = { facts, name: use.name, to };
  if (use.role === 'attribute') return use.path ? attributeOrigins(names, written, use.path, use) : [];
  if (use.role === 'imported-as') return originsOfAlias(names, written, use);
  const owner = ownerOf(use);
  // A name that nothing binds can only come from a star import.
  const scopes = owner ? [owner] : scopesAround(use.scope).filter(seenFrom(use.scope));
  for (const scope of scopes) {
    const { index, isOwn } = scopeInFacts(facts, scope);
    const origins = isOwn ? originsOf(names, { file, scope: index, name: use.name }, to) : [];
    if (origins.length > 0) return origins;
  }
  return [];
}

/** Names of a class are visible only in its own body. */
function seenFrom(from: LexicalScope): (scope: LexicalScope) => boolean {
  return (scope) => scope === from || scope.kind !== 'class';
}

interface Written {
  facts: FileFacts;
  name: string;
  to: FollowTo;
}

/** In `from m import name as other`, the origins of the module's name. */
function originsOfAlias(
  names: NameResolver,
  { facts, name, to }: Written,
  { scope, path }: NameUse,
): BoundName[] {
  const { file } = facts;
  const { index } = scopeInFacts(facts, scope);
  const bindings = path ? boundTo(names, { file, scope: index, name: path[0]! }) : [];
  return distinctNames(
    bindings.flatMap((binding) => {
      if (binding.kind !== 'member' || binding.name !== name) return [];
      const source = moduleFile(names, binding.target, file);
      return source === null ? [] : originsOf(names, { file: source, scope: 0, name }, to);
    }),
  );
}

/** The origins of `module.name`, and of `Class.name` for a class in the project. */
function attributeOrigins(
  names: NameResolver,
  { facts, name, to }: Written,
  path: readonly string[],
  { scope, node }: NameUse,
): BoundName[] {
  const owner = ownerOf({ name: path[0]!, node, role: 'read', scope });
  if (owner && !scopeInFacts(facts, owner).isOwn) return [];
  return distinctNames(
    names.resolve(facts.file, scopeInFacts(facts, scope).index, path).flatMap((entity) => {
      if (entity.kind === 'module') {
        const module = names.modules.fileOf(entity.stem);
        return module === null ? [] : originsOf(names, { file: module, scope: 0, name }, to);
      }
      if (entity.kind !== 'definition' || entity.definition.kind !== 'class') return [];
      return originsOf(names, { file: entity.file, scope: entity.definition.body, name }, to);
    }),
  );
}

function boundTo(names: NameResolver, { file, scope, name }: BoundName): readonly Binding[] {
  const bindings = names.factsOf(file)?.scopes[scope]?.bindings;
  return bindings ? bindingsOf(bindings, name) : [];
}

/** The file that an import of a module runs; null if it is not in the project. */
export function moduleFile(names: NameResolver, target: ImportTarget, from: string): string | null {
  const stem = names.modules.resolve(target, from);
  return stem === null ? null : names.modules.fileOf(stem);
}

/** The names without duplicates. */
export function distinctNames(all: readonly BoundName[]): BoundName[] {
  return all.filter((one, at) => all.findIndex((other) => isSameName(one, other)) === at);
}
