/** The uses of names that the binder finds, each with its scope and the control flow around it. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { LexicalScope } from './LexicalScope.ts';
import type { Reach } from './reach.ts';

/** The conditions that decide whether and when a statement runs. */
export interface Flow extends Reach {
  /** Whether the statement is in a `try` that catches `NameError`. */
  foreseen: boolean;
  /** Whether this is in an annotation, which newer Python versions evaluate only on request. */
  annotation: boolean;
  /** Whether this is inside code that the parser could not read. */
  broken: boolean;
}

/**
 * How a name is used. `defined`: bound by `def` or `class`; `imported`: bound by an import; `handler`: bound
 * by `except … as`, only for that clause; `bound`: bound by any other statement. `mutated`: the value is
 * changed in place. `imported-as`: the module's own name in `from module import name as other`. `exported`: a
 * string in `__all__`. `declared`: declared by `global` or `nonlocal`. `returned`: the whole value that a
 * function returns.
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
   * `read`: the name and the attributes of it that are read. `attribute`: the names before the dot; null if
   * they are not a dotted name. `imported-as`: the other name. Null for other roles.
   */
  path: string[] | null;
  /** `defined` and `imported`: the statement. */
  site: DefinitionSite | ImportSite | null;
  /** `bound`: the assignment, and the expression that is the name's whole value; null if there is none. */
  assignment: SyntaxNode | null;
  value: SyntaxNode | null;
  /** `read`: the name with the attributes of it that are read; for other roles, only the name. */
  whole: SyntaxNode;
  /** `read`: the call whose callee is the path. */
  call: SyntaxNode | null;
  /**
   * `read`: what receives the value, or for a callee, the value of the call: a name, a definition that it
   * decorates, or the caller.
   */
  heldBy: 'name' | 'decorator' | 'return' | null;
  /**
   * `read`: whether the value is passed to a place where it cannot be followed, such as an argument or a
   * list.
   */
  handedOn: boolean;
}

/** A `def` or `class` statement, or a lambda that a class body assigns to a name. */
export interface DefinitionSite {
  kind: 'definition';
  /** Null in broken source, if the definition has no name. */
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
