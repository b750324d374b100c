/** Python's scopes as one name sees them: who binds it, and whose it is where it is used. */

/** A scope around a use of the name that was asked for. */
export interface UseScope {
  kind: 'module' | 'class' | 'function' | 'comprehension';
  parent: UseScope | null;
  /** Where it begins in the text: with its kind, what tells it from any other of the file. */
  start: number;
  /** The scope of `FileFacts` that dotted names are looked up in from here. */
  facts: number;
  /** Whether `facts` is this very scope; no facts know the scopes of lambdas, comprehensions and type parameters. */
  isInFacts: boolean;
  binds: boolean;
  declares: 'global' | 'nonlocal' | null;
  /** Names that a scope without facts binds. */
  hidden: ReadonlySet<string>;
}

/** A scope that binds nothing yet; with `hidden` names it is one that the facts do not know. */
export function useScope({
  hidden,
  ...scope
}: Pick<UseScope, 'kind' | 'parent' | 'start' | 'facts'> & { hidden?: ReadonlySet<string> }): UseScope {
  return { ...scope, isInFacts: !hidden, binds: false, declares: null, hidden: hidden ?? new Set() };
}

/** The scope that binds the name for a use in `from`; null when none of the file does. */
export function ownerOf(from: UseScope): UseScope | null {
  for (let scope: UseScope | null = from; scope !== null; scope = scope.parent) {
    if (scope !== from && scope.kind === 'class') continue;
    if (scope.declares === 'global') return moduleOf(scope);
    if (scope.binds && scope.declares === null) return scope;
  }
  return null;
}

/** The scopes from a use up to the module's, itself first. */
export function scopesAround(from: UseScope): UseScope[] {
  const around: UseScope[] = [];
  for (let scope: UseScope | null = from; scope !== null; scope = scope.parent) around.push(scope);
  return around;
}

/** Whether a scope that the facts do not know gives a name to something of its own. */
export function isHidden(name: string, from: UseScope): boolean {
  for (let scope: UseScope | null = from; scope && !scope.isInFacts; scope = scope.parent) {
    if (scope.hidden.has(name)) return true;
  }
  return false;
}

/** Where `:=` binds: never in a comprehension. */
export function walrusScope(from: UseScope): UseScope {
  let scope = from;
  while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
  return scope;
}

function moduleOf(from: UseScope): UseScope {
  let scope = from;
  while (scope.parent) scope = scope.parent;
  return scope;
}
