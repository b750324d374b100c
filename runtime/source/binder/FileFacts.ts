/** The facts of one Python file, as plain data with ranges. Equal texts give equal facts, and no other file matters. */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { Parameter } from '../../contract/endpoint.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import type { Call, Expression } from './Expression.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { Guard, NeverRun, Reach } from './reach.ts';

/** Where an import statement looks for its module; a relative import begins in a folder of the project. */
export interface ImportTarget {
  /** Folder that a relative import begins in, `''` for the root; null if absolute, undefined if outside the root. */
  folder: string | null | undefined;
  /** Dotted name after the dots; may be empty. */
  module: string;
}

/** What a name refers to in a scope. One name may be bound more than once. */
export type Binding =
  | (Reach & Position & { kind: 'module'; target: ImportTarget })
  | (Reach & Position & { kind: 'member'; target: ImportTarget; name: string })
  | (Reach & { kind: 'value'; expression: Expression })
  | { kind: 'definition'; definition: number }
  /** Deleted by `del` in a class body. */
  | { kind: 'deleted' }
  /** Its value is changed in place, as by `NAMES.append("a")`. */
  | { kind: 'changed' }
  /** Bound to a value known only when the code runs, such as a parameter or a loop variable. */
  | { kind: 'opaque' };

/** A module, a class body or a function body; the first of a file is its module. */
export interface Scope {
  kind: 'module' | 'class' | 'function';
  /** Qualified name, `''` for the module. */
  name: string;
  /** Index of the enclosing scope; null for the module. */
  parent: number | null;
  bindings: Record<string, Binding[]>;
  /** Modules of star imports. */
  stars: ImportTarget[];
  /** Annotated names of a dataclass's body, in order. */
  fields?: { name: string; annotation: string }[];
  /** Names whose values leave the function. */
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
  /** First line of the docstring; null without one, and for a function that is neither decorated nor a method. */
  description: string | null;
  /** Empty for a class, and for a function that is neither decorated nor a method. */
  parameters: Parameter[];
  /** Of a decorated function or a method: its return annotation is `bytes`, or that or None. */
  returnsBytes?: true;
  /** A class's bases that are dotted names. */
  bases: { path: string[]; range: Range }[];
}

/** One imported module of an import statement. */
export interface Import extends Reach {
  target: ImportTarget;
  /** Imported names; null for `import module`, `['*']` for a star import. */
  names: string[] | null;
  scope: number;
  /** The module's name as written. */
  range: Range;
  /** Each of `names` as written; empty for `import module`. */
  nameRanges: Range[];
  /** The local name of each of `names`, or of the module; empty for a star import. */
  locals: string[];
}

/** A use of what may be the class `Endpoint`, after which no reader can follow it. */
export interface ClassUse {
  /** The class, the package that `getattr` looks in, or the instance; empty for an import by a string. */
  path: string[];
  /** `route`: a route decorator of an instance is taken as a value, or looked up by a string. */
  by: 'value' | 'getattr' | 'import' | 'route';
  range: Range;
  scope: number;
  guard: Guard | null;
}

/** A call that might declare an endpoint. */
export interface LooseCall extends Reach {
  call: Call;
  /** Whether it is the value that a function returns, and whether it is in a lambda. */
  isReturned?: true;
  isInLambda?: true;
  scope: number;
}

/** A call that might add a route. */
export interface LooseRoute {
  call: Call;
  /** Whether it is the value that a function returns. */
  isReturned?: true;
  scope: number;
}

/** Why no worker has a name that the module's text binds. */
export type Absence = NeverRun | 'exit' | 'deleted' | 'handler';

/** A name of the module that the body of a decorated definition reads; each path once, at its first use. */
export interface BodyRead {
  /** Index of the definition. */
  definition: number;
  /** The name, with the attributes that are read of it. */
  path: string[];
  /** Range of the name alone. */
  range: Range;
  /**
   * Why no worker has the name, and where the text binds or deletes it; null for an import that workers have. If the
   * guard lets a Python version run, workers of that version have the name.
   */
  absent: { by: Absence; range: Range; guard: Guard | null } | null;
}

/** What names are assigned, where it may lead to an endpoint or an imported package. */
export interface Leads {
  imported: { name: string; target: ImportTarget; isOfModule: boolean }[];
  /** Names that are assigned another name or the result of calling it, and classes that have it as a member. */
  given: { name: string; from: string }[];
  /** Names that are assigned the value of a call, with their scopes. */
  called: { name: string; scope: number }[];
}

/** Lines and indices have the property names that `moved` knows, so that they move with their segment. */
export interface FileFacts {
  /** Relative to the root, with `/`. */
  file: string;
  /** Whether the text contains `toolkit_sdk`. */
  mentionsSdk: boolean;
  /** Whether it contains `version_info`, so that guards may depend on the version of Python. */
  dependsOnVersion: boolean;
  imports: Import[];
  scopes: Scope[];
  definitions: Definition[];
  leads: Leads;
  /** Calls that might declare an endpoint and are neither a decorator nor the whole value of an assignment. */
  looseCalls: LooseCall[];
  /** Calls like `api.get("/path")` that do not decorate anything. */
  looseRoutes: LooseRoute[];
  /** Uses as a value of what may be the class `Endpoint`, and lookups of it by a string. */
  classUses: ClassUse[];
  /**
   * Names of definitions that an unconditional statement of the module deletes or gives an unrelated value, with the
   * range of the name there.
   */
  overwritten: { name: string; range: Range }[];
  /** Names of the module that the bodies of decorated definitions read, if they are imported or no worker has them. */
  reads: BodyRead[];
  /** Imported names that the file reads while it is loaded: outside functions, and in the headers of definitions. */
  loads: string[];
  /** Names that a star import gets from `__all__`; null if the module has none, or one that cannot be read. */
  exported: string[] | null;
  /** First statement of the module that ends it on every import, such as `sys.exit()`. */
  exit: { text: string; range: Range } | null;
  /** Whether the module binds names in ways that the text does not show. */
  bindsUnseen: boolean;
  /** Comments that silence findings. */
  ignores: IgnoreComment[];
  /** The first fault of the text; null for valid Python. */
  fault: SyntaxFault | null;
}
