/** One declaration, in the form that `list --json`, the editor and the build use. */

export type EndpointKind = 'queue' | 'load-balanced';

/** Verbs of a load-balanced instance's route decorators (`@api.get(…)`). */
export const ROUTE_VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The kinds of parameters in Python. */
export type ParameterKind =
  | 'positional-only'
  | 'positional-or-keyword'
  | 'var-positional'
  | 'keyword-only'
  | 'var-keyword';

/** One parameter. Annotation and default are source text, null when absent. */
export interface Parameter {
  name: string;
  annotation: string | null;
  default: string | null;
  required: boolean;
  kind: ParameterKind;
}

/** A function that an endpoint serves. `line` is that of its `def`, from 1. */
export interface EndpointFunction {
  name: string;
  /** The class whose only public method this is, with dots if nested; null for a plain function. */
  class: string | null;
  /** The file's path with dots, without `.py` or `/__init__.py`. */
  module: string;
  file: string;
  line: number;
  async: boolean;
  /** First line of the docstring, or null. */
  description: string | null;
  parameters: Parameter[];
  /** The return annotation is `bytes` or `bytes | None`. */
  returnsBytes?: true;
}

/** A route of a load-balanced instance. `line` is that of its decorator, from 1. */
export interface EndpointRoute {
  method: RouteMethod;
  path: string;
  /** The name of the endpoint in the decorator: `api` of `@api.get(…)`. */
  instance: string;
  function: string;
  /** Module of the function. It tells equal names in two files apart. */
  module: string;
  file: string;
  line: number;
  description: string | null;
}

/** A GPU member as written (`ANY`, `ADA_24`, `NVIDIA_L4`), or a CPU type. */
export type Hardware = { gpu: string } | { cpu: string };

/** A deployed endpoint on the platform. */
export interface DeployedEndpoint {
  id: string;
  url: string;
  build: number;
}

/** One declaration. A value that is known only at run time is null and listed in `dynamic`. */
export interface Endpoint {
  name: string | null;
  kind: EndpointKind;
  /** Relative to the root; uses `/`. */
  file: string;
  /** Line of the `Endpoint(` call, from 1. */
  line: number;
  hardware: Hardware | null;
  workers: { min: number; max: number } | null;
  /** Seconds. */
  idleTimeout: number | null;
  dependencies: string[] | null;
  /** Literal values; null for a value that is read from the environment during deploy (see `envFrom`). */
  env: Record<string, string | null> | null;
  /** `os.environ["X"]` and `os.getenv("X", "default")`: filled in during deploy and never shipped. */
  envFrom: Record<string, { name: string; default: string | null }>;
  image: string | null;
  gpuCount: number | null;
  /** Seconds. */
  executionTimeout: number | null;
  maxConcurrency: number | null;
  command: string[] | null;
  functions: EndpointFunction[];
  routes: EndpointRoute[];
  /** Names of the fields whose values are dynamic, such as `workers` or `name`. */
  dynamic: string[];
  deployed: DeployedEndpoint | null;
  /** Another declaration with this name is the endpoint; this one is in a branch that excludes it. */
  alternative?: true;
}
