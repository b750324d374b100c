/** What the binder finds: every use of a name, with its scope and the control flow around it. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { Reach } from './reach.ts';

/** What decides whether, and when, a statement runs. */
export interface Flow extends Reach {
  /** A handler of `NameError` is around it. */
  foreseen: boolean;
  /** An annotation, which newer Pythons evaluate only on request. */
  annotation: boolean;
  /** Inside code that the parser could not read. */
  broken: boolean;
}

/**
 * How a name is used. `bound`: by any other statement; `defined`: by `def` or `class`; `imported`: by an import;
 * `handler`: by `except … as`, for its clause alone. `mutated`: the value is changed in place. `imported-as`: the
 * module's own name in `from module import name as other`. `exported`: a string in `__all__`. `declared`: by `global`
 * or `nonlocal`. `returned`: the whole value that a function returns.
 */
export type Role =
  | 'read'
  | 'bound'
  | 'parameter'
  | 'defined'
  | 'imported'
  | 'handler'
  | 'deleted'
  | 'mutated'
  | 'declared'
  | 'returned'
  | 'imported-as'
  | 'exported'
  | 'attribute';

/** One use of a name. */
export interface NameUse {
  name: string;
  node: SyntaxNode;
  role: Role;
  scope: LexicalScope;
  flow: Flow;
  /**
   * `read`: the name and the attributes that are read of it. `attribute`: the names before the dot, null if they are
   * not a dotted name. `imported-as`: the other name. Null otherwise.
   */
  path: string[] | null;
  /** `defined` and `imported`: the statement. */
  site: DefinitionSite | ImportSite | null;
  /** `bound`: the assignment, and the expression that is the name's whole value; null if there is none. */
  assignment: SyntaxNode | null;
  value: SyntaxNode | null;
  /** `read`: the name with the attributes that are read of it; the name alone otherwise. */
  whole: SyntaxNode;
  /** `read`: the call whose callee the path is. */
  call: SyntaxNode | null;
  /**
   * `read`: what receives the value, or for a callee the call's value: a name, a definition that it decorates, or the
   * caller.
   */
  heldBy: 'name' | 'decorator' | 'return' | null;
  /** `read`: the value is passed to where no reader can follow it, such as into an argument or a list. */
  handedOn: boolean;
}

/** A `def` or `class` statement, or a lambda that a class body assigns to a name. */
export interface DefinitionSite {
  kind: 'definition';
  /** Null where broken source left it without one. */
  name: SyntaxNode | null;
  node: SyntaxNode;
  decorators: SyntaxNode[];
  scope: LexicalScope;
  /** Scope of its body. */
  body: LexicalScope;
  flow: Flow;
}

/** An import statement. */
export interface ImportSite {
  kind: 'import';
  node: SyntaxNode;
  scope: LexicalScope;
  flow: Flow;
}
