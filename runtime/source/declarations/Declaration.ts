/** A declaration with its ranges. The rules read it, and the Endpoint document is created from it. */
import type { Range } from '../../contract/diagnostic.ts';
import type { EndpointKind, RouteMethod } from '../../contract/endpoint.ts';
import type { Call, Expression } from '../binder/Expression.ts';
import type { Decorator, Definition } from '../binder/FileFacts.ts';
import type { Reach } from '../binder/reach.ts';
import type { EnvironmentValues, GpuMember, Outcome } from './argumentValues.ts';
import type { Constant } from './Constant.ts';
import type { Dialect } from './dialect.ts';

/** The arguments of `Endpoint`, in the order of its signature. */
export const KEYWORDS = [
  'name',
  'gpu',
  'cpu',
  'workers',
  'idle_timeout',
  'dependencies',
  'env',
  'image',
  'gpu_count',
  'execution_timeout',
  'max_concurrency',
] as const;
export type Keyword = (typeof KEYWORDS)[number];

/** The keys of an endpoint in pyproject.toml. */
export const TABLE_KEYS = [...KEYWORDS, 'command', 'kind'] as const;
export type TableKey = (typeof TABLE_KEYS)[number];

/** One argument as given, by keyword, by position or inside `**settings`. */
export interface GivenArgument {
  keyword: string;
  keywordRange: Range;
  /** Its expression in the call: the value, or the `**settings` that contains it. */
  expression: Expression;
  constant: Constant;
}

/** An argument that no parameter takes. */
export interface MisplacedArgument {
  problem: string;
  fix: string;
  range: Range;
}

/** A `def` or `class` that an endpoint serves. */
export interface ServedDefinition {
  file: string;
  definition: Definition;
}

export interface RouteDeclaration extends ServedDefinition {
  method: RouteMethod;
  decorator: Decorator;
  /** The path's expression; null when the decorator has none. */
  expression: Expression | null;
  path: Outcome<string>;
  /** Arguments that a route does not take. */
  unknown: readonly GivenArgument[];
  misplaced: readonly MisplacedArgument[];
}

export interface Declaration extends Reach {
  file: string;
  call: Call;
  /** Scope that contains the call. */
  scope: number;
  /** Set if the call is in a lambda, which a worker does not call. */
  isInLambda?: true;
  /**
   * Set if another declaration is the endpoint with this name. `possible`: which of them is created is known
   * only on the worker. `unused`: no worker creates this declaration.
   */
  alternative?: 'possible' | 'unused';
  /** Set if the functions that it serves are known only when the code runs. */
  contested?: true;
  /** `table`: an item of `[[tool.toolkit.endpoints]]`, whose `call` has the range of its heading. */
  form: 'decorator' | 'instance' | 'loose' | 'table';
  kind: EndpointKind;
  given: Partial<Record<TableKey, GivenArgument>>;
  /** Keywords that `Endpoint` does not have. */
  unknown: GivenArgument[];
  /** `*` and `**` whose content is known only when the code runs. */
  open: Expression[];
  misplaced: MisplacedArgument[];
  name: Outcome<string>;
  gpu: Outcome<GpuMember>;
  cpu: Outcome<string>;
  workers: Outcome<{ min: number; max: number }>;
  idleTimeout: Outcome<number>;
  dependencies: Outcome<string[]>;
  env: Outcome<EnvironmentValues>;
  image: Outcome<string>;
  gpuCount: Outcome<number>;
  executionTimeout: Outcome<number>;
  maxConcurrency: Outcome<number>;
  /** Absent except in tables. */
  command: Outcome<string[]>;
  /** As given in a table; absent otherwise. */
  kindGiven: Outcome<EndpointKind>;
  /** Queue-based: the definitions that it decorates. */
  served: ServedDefinition[];
  routes: RouteDeclaration[];
}

/** The outcome of each argument, by the argument's name in Python and TOML. */
export function outcomesOf(declaration: Declaration): Record<TableKey, Outcome<unknown>> {
  return {
    name: declaration.name,
    gpu: declaration.gpu,
    cpu: declaration.cpu,
    workers: declaration.workers,
    idle_timeout: declaration.idleTimeout,
    dependencies: declaration.dependencies,
    env: declaration.env,
    image: declaration.image,
    gpu_count: declaration.gpuCount,
    execution_timeout: declaration.executionTimeout,
    max_concurrency: declaration.maxConcurrency,
    command: declaration.command,
    kind: declaration.kindGiven,
  };
}

/** The language in which a declaration is written. */
export function dialectOf({ form }: Declaration): Dialect {
  return form === 'table' ? 'toml' : 'python';
}

/** The name of an endpoint, by default the name of its function; null if dynamic, missing or invalid. */
export function effectiveName(declaration: Declaration): string | null {
  const { name } = declaration;
  if (name.state === 'known') return name.value;
  if (name.state !== 'absent' || declaration.kind !== 'queue') return null;
  return declaration.served[0]?.definition.name ?? null;
}

/** How messages refer to an endpoint: by its name, or by the reason why its name is not known. */
export function spokenName(declaration: Declaration): string {
  const name = effectiveName(declaration);
  if (name) return name;
  if (declaration.name.state === 'dynamic') return 'endpoint with a dynamic name';
  return declaration.name.state === 'invalid' ? 'endpoint with an invalid name' : 'endpoint without a name';
}

/**
 * Range for a finding about the name: the name's expression, otherwise the function's name, otherwise
 * `Endpoint`.
 */
export function nameRange(declaration: Declaration): { file: string; range: Range } {
  const { file, given, served, call } = declaration;
  if (given.name && declaration.name.state !== 'absent') return { file, range: given.name.expression.range };
  const first = declaration.kind === 'queue' ? served[0] : undefined;
  return first ? { file: first.file, range: first.definition.nameRange } : { file, range: call.calleeRange };
}
