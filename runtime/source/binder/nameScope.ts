/** Scopes inside of one function, and whose name a read in one of them means. */

/** Where names are bound; a class's are not seen from the scopes inside of it. */
export interface NameScope {
  kind: 'function' | 'class' | 'comprehension';
  parent: NameScope | null;
  bound: Set<string>;
  /** Names declared `global`. */
  global: Set<string>;
  /** Names declared `nonlocal`. */
  outer: Set<string>;
}

/** An empty scope inside of another, or the outermost. */
export function nameScope(kind: NameScope['kind'], parent: NameScope | null): NameScope {
  return { kind, parent, bound: new Set(), global: new Set(), outer: new Set() };
}

/** The scope that `:=` binds in: never a comprehension's own. */
export function walrusScope(scope: NameScope): NameScope {
  let owner = scope;
  while (owner.kind === 'comprehension' && owner.parent) owner = owner.parent;
  return owner;
}

/** Whether a name that is read in a scope is bound by none of the scopes, so that it is the module's. */
export function isOfModule(from: NameScope, name: string): boolean {
  for (let scope: NameScope | null = from; scope !== null; scope = scope.parent) {
    if (scope !== from && scope.kind === 'class') continue;
    if (scope.global.has(name)) return true;
    if (scope.bound.has(name) && !scope.outer.has(name)) return false;
  }
  return true;
}
