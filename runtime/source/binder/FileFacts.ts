/**
 * The facts of one Python file, as plain data with ranges. Equal texts give equal facts; they do not depend
 * on other files.
 */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { Parameter } from '../../contract/endpoint.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import type { Call, Expression } from './Expression.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { Guard, NeverRun, Reach } from './reach.ts';

/** Where an import statement looks for its module. A relative import begins in a folder of the project. */
export interface ImportTarget {
  /**
   * Folder in which a relative import begins, `''` for the root; null for an absolute import, undefined for a
   * folder outside the root.
   */
  folder: string | null | undefined;
  /** Dotted name after the leading dots; may be empty. */
  module: string;
}

/** What a name refers to in a scope. A name can be bound more than once. */
export type Binding =
  | (Reach & Position & { kind: 'module'; target: ImportTarget })
  | (Reach & Position & { kind: 'member'; target: ImportTarget; name: string })
  | (Reach & { kind: 'value'; expression: Expression })
  | { kind: 'definition'; definition: number }
  /** Deleted by `del` in a class body. */
  | { kind: 'deleted' }
  /** Its value is changed in place, for example by `NAMES.append("a")`. */
  | { kind: 'changed' }
  /** Bound to a value that is known only when the code runs, such as a parameter or a loop variable. */
  | { kind: 'opaque' };

/** A module, a class body or a function body. The first scope of a file is its module. */
export interface Scope {
  kind: 'module' | 'class' | 'function';
  /** Qualified name, `''` for the module. */
  name: string;
  /** Index of the enclosing scope; null for the module. */
  parent: number | null;
  bindings: Record<string, Binding[]>;
  /** Modules of star imports. */
  stars: ImportTarget[];
  /** Annotated names in the body of a dataclass, in order. */
  fields?: { name: string; annotation: string }[];
  /** Names through which values leave the function. */
  leaves?: { name: string; by: 'global' | 'return' }[];
}

export interface Decorator {
  /** `['api', 'get']` for `@api.get(…)`; null if it is neither a dotted name nor a call of one. */
  path: string[] | null;
  pathRange: Range;
  /** Null for a decorator without parentheses. */
  call: Call | null;
  range: Range;
}

/** A `def` or `class` statement. */
export interface Definition extends Reach {
  kind: 'function' | 'class';
  name: string;
  nameRange: Range;
  /** Scope that contains it. */
  scope: number;
  /** Scope of its body. */
  body: number;
  decorators: Decorator[];
  /** Line of `def` or `class`, from 1. */
  line: number;
  async: boolean;
  /**
   * First line of the docstring; null if there is none, and for a function that is neither decorated nor a
   * method.
   */
  description: string | null;
  /** Empty for a class, and for a function that is neither decorated nor a method. */
  parameters: Parameter[];
  /** For a decorated function or a method: set if its return annotation is `bytes` or `bytes | None`. */
  returnsBytes?: true;
  /** The bases of a class that are dotted names. */
  bases: { path: string[]; range: Range }[];
}

/** One imported module of an import statement. */
export interface Import extends Reach {
  target: ImportTarget;
  /** Imported names; null for `import module`, `['*']` for a star import. */
  names: string[] | null;
  scope: number;
  /** Range of the module's name. */
  range: Range;
  /** Range of each of `names`; empty for `import module`. */
  nameRanges: Range[];
  /** The local name of each of `names`, or of the module; empty for a star import. */
  locals: string[];
}

/** A use of what may be the class `Endpoint`, through which it can no longer be followed. */
export interface ClassUse {
  /**
   * Path of the class, of the package that `getattr` searches, or of the instance; empty for a
   * dynamic import.
   */
  path: string[];
  /** `route`: a route decorator of an instance is used as a value or looked up with getattr. */
  by: 'value' | 'getattr' | 'import' | 'route';
  range: Range;
  scope: number;
  guard: Guard | null;
}

/** A call that might declare an endpoint. */
export interface LooseCall extends Reach {
  call: Call;
  /** Whether the call is the value that a function returns, and whether it is in a lambda. */
  isReturned?: true;
  isInLambda?: true;
  scope: number;
}

/** A call that might add a route. */
export interface LooseRoute {
  call: Call;
  /** Whether the call is the value that a function returns. */
  isReturned?: true;
  scope: number;
}

/** Why no worker has a name that the text of the module binds. */
export type Absence = NeverRun | 'exit' | 'deleted' | 'handler';

/**
 * A module-level name that the body of a decorated definition reads. Each path is listed once, at its first
 * use.
 */
export interface BodyRead {
  /** Index of the definition. */
  definition: number;
  /** The name, and the attributes of it that are read. */
  path: string[];
  /** Range of only the name. */
  range: Range;
  /**
   * Why no worker has the name, and where the text binds or deletes it; null for an import that workers have.
   * If the guard allows a Python version, workers with that version have the name.
   */
  absent: { by: Absence; range: Range; guard: Guard | null } | null;
}

/** What names are assigned, if it may lead to an endpoint or an imported package. */
export interface Leads {
  imported: { name: string; target: ImportTarget; isOfModule: boolean }[];
  /**
   * Names that are assigned another name or the result of calling it, and classes that have that other name
   * as a member.
   */
  given: { name: string; from: string }[];
  /** Names that are assigned the value of a call, with their scopes. */
  called: { name: string; scope: number }[];
}

/** Lines and indices have the property names that `moved` expects, so that they move with their segment. */
export interface FileFacts {
  /** Relative to the root, with `/`. */
  file: string;
  /** Whether the text contains `toolkit_sdk`. */
  mentionsSdk: boolean;
  /** Whether the text contains `version_info`, so that guards may depend on the Python version. */
  dependsOnVersion: boolean;
  imports: Import[];
  scopes: Scope[];
  definitions: Definition[];
  leads: Leads;
  /**
   * Calls that might declare an endpoint, but are neither a decorator nor the whole value of an assignment.
   */
  looseCalls: LooseCall[];
  /** Calls like `api.get("/path")` that do not decorate anything. */
  looseRoutes: LooseRoute[];
  /** Uses of what may be the class `Endpoint` as a value, and lookups of the class by a string. */
  classUses: ClassUse[];
  /**
   * Names of definitions that an unconditional module-level statement deletes or assigns an unrelated value
   * to, with the range of the name in that statement.
   */
  overwritten: { name: string; range: Range }[];
  /**
   * Module-level names that the bodies of decorated definitions read, if they are imported or no worker has
   * them.
   */
  reads: BodyRead[];
  /**
   * Imported names that the file reads while it is loaded: outside functions and in the headers of
   * definitions.
   */
  loads: string[];
  /**
   * Names in `__all__`, which a star import binds; null if the module has no `__all__` or it cannot be read.
   */
  exported: string[] | null;
  /** First statement that stops the module on every import, such as `sys.exit()`. */
  exit: { text: string; range: Range } | null;
  /** Whether the module binds names in ways that the text does not show. */
  bindsUnseen: boolean;
  /** Comments that silence findings. */
  ignores: IgnoreComment[];
  /** The first fault of the text; null for valid Python. */
  fault: SyntaxFault | null;
}
