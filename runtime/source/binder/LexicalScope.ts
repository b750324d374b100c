/** Python's scopes: where names are bound, and to which scope a name belongs when it is read. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface LexicalScope {
  kind: 'module' | 'class' | 'function' | 'comprehension';
  parent: LexicalScope | null;
  /**
   * The node that creates the scope: a definition, its type parameters, a lambda or a comprehension; null for
   * the module.
   */
  node: SyntaxNode | null;
  /** The names that the scope binds, each with the index at which its first binding ends. */
  bound: Map<string, number>;
  /** Names that are declared `global`, and names that are declared `nonlocal`. */
  globals: Set<string>;
  nonlocals: Set<string>;
}

/** Creates a scope that does not bind any names yet. */
export function newScope(
  kind: LexicalScope['kind'],
  parent: LexicalScope | null,
  node: SyntaxNode | null,
): LexicalScope {
  return { kind, parent, node, bound: new Map(), globals: new Set(), nonlocals: new Set() };
}

/** One use of a name. */
interface Use {
  name: string;
  node: SyntaxNode;
  role: string;
  scope: LexicalScope;
}

/**
 * The scope that binds the name in a use; null if the file does not bind it. The names of a class are visible
 * only in its own body, which reads the module's name until it has bound its own. A name that is declared
 * `global` belongs to the module.
 */
export function ownerOf({ name, node, role, scope: from }: Use): LexicalScope | null {
  for (let scope: LexicalScope | null = from; scope !== null; scope = scope.parent) {
    if (scope !== from && scope.kind === 'class') continue;
    if (scope.globals.has(name)) return moduleOf(scope);
    const end = scope.nonlocals.has(name) ? undefined : scope.bound.get(name);
    if (end === undefined) continue;
    const isEarly = scope.kind === 'class' && role === 'read' && node.startIndex < end;
    if (!isEarly) return scope;
    return moduleOf(scope).bound.has(name) ? moduleOf(scope) : null;
  }
  return null;
}

/** Whether a used name belongs to the module or is a builtin: no scope inside the module binds it. */
export function isGlobal(use: Use): boolean {
  return (ownerOf(use)?.parent ?? null) === null;
}

/** The scope in which `:=` binds a name: never the scope of a comprehension. */
export function walrusScope(from: LexicalScope): LexicalScope {
  let scope = from;
  while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
  return scope;
}

/** The scopes around a scope, from the scope itself up to the module. */
export function scopesAround(from: LexicalScope): LexicalScope[] {
  const around: LexicalScope[] = [];
  for (let scope: LexicalScope | null = from; scope !== null; scope = scope.parent) around.push(scope);
  return around;
}

function moduleOf(from: LexicalScope): LexicalScope {
  return scopesAround(from).at(-1)!;
}
