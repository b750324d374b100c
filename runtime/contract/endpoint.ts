/** The shape of one declaration as `list --json`, the editor and the build see it. */

export type EndpointKind = 'queue' | 'load-balanced';

/** Verbs a load-balanced instance offers as route decorators (`@api.get(…)`). */
export const ROUTE_VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Python's kinds of parameter. */
export type ParameterKind =
  | 'positional-only'
  | 'positional-or-keyword'
  | 'var-positional'
  | 'keyword-only'
  | 'var-keyword';

/** One parameter; annotation and default are source text, null when absent. */
export interface Parameter {
  name: string;
  annotation: string | null;
  default: string | null;
  required: boolean;
  kind: ParameterKind;
}

/** A function that an endpoint serves; `line` is its `def`, from 1. */
export interface EndpointFunction {
  name: string;
  /** The class whose one public method this is, dotted when nested; null for a plain function. */
  class: string | null;
  /** The file's path with dots, without `.py` or `/__init__.py`. */
  module: string;
  file: string;
  line: number;
  async: boolean;
  /** First line of the docstring, or null. */
  description: string | null;
  parameters: Parameter[];
  /** Its return annotation is `bytes`, or that or None. */
  returnsBytes?: true;
}

/** A route of a load-balanced instance; `line` is its decorator, from 1. */
export interface EndpointRoute {
  method: RouteMethod;
  path: string;
  /** The name of the endpoint in the decorator: `api` of `@api.get(…)`. */
  instance: string;
  function: string;
  /** Module of the function, so that equal names in two files do not collide. */
  module: string;
  file: string;
  line: number;
  description: string | null;
}

/** GPU members as written (`ANY`, `ADA_24`, `NVIDIA_L4`), or a cpu form. */
export type Hardware = { gpu: string } | { cpu: string };

/** Where an endpoint runs on the platform. */
export interface DeployedEndpoint {
  id: string;
  url: string;
  build: number;
}

/** One declaration site. A value that only running the code could tell is null and named in `dynamic`. */
export interface Endpoint {
  name: string | null;
  kind: EndpointKind;
  /** Relative to the root, with `/`. */
  file: string;
  /** Line of the `Endpoint(` call, from 1. */
  line: number;
  hardware: Hardware | null;
  workers: { min: number; max: number } | null;
  /** Seconds. */
  idleTimeout: number | null;
  dependencies: string[] | null;
  /** Literal values; null for a value that is read from the environment at deploy (see `envFrom`). */
  env: Record<string, string | null> | null;
  /** `os.environ["X"]` and `os.getenv("X", "default")`, filled at deploy and never shipped. */
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
  /** Another declaration of the name is the endpoint: this one stands in a branch that excludes it. */
  alternative?: true;
}
