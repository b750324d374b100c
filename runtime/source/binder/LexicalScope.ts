/** Python's scopes: where names are bound, and which scope a name belongs to where it is read. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface LexicalScope {
  kind: 'module' | 'class' | 'function' | 'comprehension';
  parent: LexicalScope | null;
  /** What makes the scope: a definition, its type parameters, a lambda or a comprehension; null for the module. */
  node: SyntaxNode | null;
  bound: Set<string>;
  /** Names declared `global`, and those declared `nonlocal`. */
  globals: Set<string>;
  nonlocals: Set<string>;
}

/** A scope that binds nothing yet. */
export function newScope(
  kind: LexicalScope['kind'],
  parent: LexicalScope | null,
  node: SyntaxNode | null,
): LexicalScope {
  return { kind, parent, node, bound: new Set(), globals: new Set(), nonlocals: new Set() };
}

/**
 * The scope that binds a name for a read in `from`; null if the file does not bind it. The names of a class are visible
 * only in its own body. A name declared `global` belongs to the module.
 */
export function ownerOf(from: LexicalScope, name: string): LexicalScope | null {
  for (let scope: LexicalScope | null = from; scope !== null; scope = scope.parent) {
    if (scope !== from && scope.kind === 'class') continue;
    if (scope.globals.has(name)) return moduleOf(scope);
    if (scope.bound.has(name) && !scope.nonlocals.has(name)) return scope;
  }
  return null;
}

/** Whether a name that is read in a scope is the module's, or a builtin: no scope inside the module binds it. */
export function isGlobal(from: LexicalScope, name: string): boolean {
  return (ownerOf(from, name)?.parent ?? null) === null;
}

/** The scope that `:=` binds in: never a comprehension's own. */
export function walrusScope(from: LexicalScope): LexicalScope {
  let scope = from;
  while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
  return scope;
}

/** The scopes from one up to the module's, itself first. */
export function scopesAround(from: LexicalScope): LexicalScope[] {
  const around: LexicalScope[] = [];
  for (let scope: LexicalScope | null = from; scope !== null; scope = scope.parent) around.push(scope);
  return around;
}

function moduleOf(from: LexicalScope): LexicalScope {
  return scopesAround(from).at(-1)!;
}
