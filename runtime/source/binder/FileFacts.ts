/** What one Python file says, as plain data with ranges: equal texts give equal facts, and no other file matters. */
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { Parameter } from '../../contract/endpoint.ts';
import type { SyntaxFault } from '../syntax/findFault.ts';
import type { Call, Expression } from './Expression.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { Guard, NeverRun, Reach } from './reach.ts';

/** Where an import statement looks: relative ones begin in a folder of the project. */
export interface ImportTarget {
  /** Folder that a relative import begins in, `''` for the root; null when absolute, undefined beyond the root. */
  folder: string | null | undefined;
  /** Dotted name after the dots; may be empty. */
  module: string;
}

/** What a name stands for in a scope. One name may be bound more than once. */
export type Binding =
  | (Reach & Position & { kind: 'module'; target: ImportTarget })
  | (Reach & Position & { kind: 'member'; target: ImportTarget; name: string })
  | (Reach & { kind: 'value'; expression: Expression })
  | { kind: 'definition'; definition: number }
  /** Taken away by `del` in a class body. */
  | { kind: 'deleted' }
  /** Bound to what only running the code could tell, such as a parameter or a loop's variable. */
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
  /** Names by which what a function makes leaves it. */
  leaves?: { name: string; by: 'global' | 'return' }[];
}

export interface Decorator {
  /** `['api', 'get']` for `@api.get(…)`; null when it is no dotted name and no call of one. */
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
  /** Scope that it stands in. */
  scope: number;
  /** Scope of its body. */
  body: number;
  decorators: Decorator[];
  /** Line of `def` or `class`, from 1. */
  line: number;
  async: boolean;
  /** First line of the docstring; null for a function that nothing decorates and that is not a method. */
  description: string | null;
  /** Empty for a class, and for a function that nothing decorates and that is not a method. */
  parameters: Parameter[];
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
  /** What each of `names`, or the module, is called from then on; empty for a star import. */
  locals: string[];
}

/** A place at which what may be the class `Endpoint` goes where no reader can follow it. */
export interface ClassUse {
  /** What stands there: the class, the package that `getattr` looks in, or empty for an import by a text. */
  path: string[];
  by: 'value' | 'getattr' | 'import';
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
  scope: number;
}

/** Why no worker has a name that the module's text binds. */
export type Absence = NeverRun | 'exit' | 'deleted' | 'handler';

/** A name of the module that the body of a decorated definition reads; each path once, at its first place. */
export interface BodyRead {
  /** Index of the definition. */
  definition: number;
  /** The name, with the attributes that are read of it. */
  path: string[];
  /** The name's own place. */
  range: Range;
  /**
   * Why no worker has the name, and where the text binds it or takes it away; null for an import's name. A guard that
   * lets a version run says that workers of this version have it.
   */
  absent: { by: Absence; range: Range; guard: Guard | null } | null;
}

/** What names are given, as far as it may lead to an endpoint or an imported package. */
export interface Leads {
  imported: { name: string; target: ImportTarget; isOfModule: boolean }[];
  /** Names that are what another one is, or what calling it gives, or a class that has it as a member. */
  given: { name: string; from: string }[];
  /** Names that are given the value of a call, with their scopes. */
  called: { name: string; scope: number }[];
}

/** Lines and indices are called as `moveFragment` says, so that they move with what they belong to. */
export interface FileFacts {
  /** Relative to the root, with `/`. */
  file: string;
  /** Whether the text says `toolkit_sdk`. */
  mentionsSdk: boolean;
  /** Whether it says `version_info`: some of its guards may be for some versions of Python. */
  dependsOnVersion: boolean;
  imports: Import[];
  scopes: Scope[];
  definitions: Definition[];
  leads: Leads;
  /** Calls that might declare an endpoint and are neither a decorator nor the whole value of an assignment. */
  looseCalls: LooseCall[];
  /** Calls like `api.get("/path")` that decorate nothing where they stand. */
  looseRoutes: LooseRoute[];
  /** Values handed on of what may be the class `Endpoint`, and lookups of it by a text. */
  classUses: ClassUse[];
  /** Names of definitions that a statement of the module itself gives to something else, with where it does. */
  overwritten: { name: string; range: Range }[];
  /** Names of the module that the bodies of decorated definitions read, where it matters which. */
  reads: BodyRead[];
  /** First statement of the module itself that ends it whenever it is imported, such as `sys.exit()`. */
  exit: { text: string; range: Range } | null;
  /** Comments that silence findings. */
  ignores: IgnoreComment[];
  /** The first fault of the text; null for valid Python. */
  fault: SyntaxFault | null;
}
