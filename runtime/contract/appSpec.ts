/** What a build tells the platform and the worker of an app: plain types; manifest.ts gives them their file's form. */
import type { EndpointKind, RouteMethod } from './endpoint.ts';

/** A function that an endpoint serves. `file` is relative to the artifact's root. */
export interface FunctionSpec {
  name: string;
  /** The class whose instance, made once per worker, has the method; null for a plain function. */
  class: string | null;
  module: string;
  file: string;
  async: boolean;
}

/** A route of a load-balanced endpoint. */
export interface RouteSpec {
  method: RouteMethod;
  path: string;
  function: string;
  module: string;
}

/** Everything the platform and the worker need to know of one endpoint. */
export interface EndpointSpec {
  name: string;
  kind: EndpointKind;
  /** Name of the runtime image; one of `BASE_IMAGES` when the declaration names none. */
  image: string;
  /** The group's member name and, when the declaration named types, the types. */
  hardware: { gpu: string; gpuTypes: string[] } | { cpu: string };
  workersMin: number;
  workersMax: number;
  /** Seconds. */
  idleTimeout: number;
  /** GPUs per worker. */
  gpuCount: number;
  /** Seconds; of a load-balanced endpoint until the first byte of an answer, null: the platform's own limit. */
  executionTimeout: number | null;
  /** Jobs or requests that one worker has in hand at once; null, of a load-balanced endpoint: as many as come. */
  maxConcurrency: number | null;
  /** Literal values of the declaration; values from the environment never enter the manifest. */
  env: Record<string, string>;
  /** Minor version the build is for, such as `3.11`. */
  python: string;
  /** As declared, sorted. */
  dependencies: string[];
  /** Names left out of the artifact: auto-excluded and `--exclude`d, sorted. */
  excluded: string[];
  /** What the base image provides of the locked set, `name==version`, sorted. */
  baseLayer: string[];
  /** Name of the dependency set (a folder under `_toolkit/dependencies`). */
  dependencySet: string;
  functions: FunctionSpec[];
  routes: RouteSpec[];
  /** Path of the generated handler inside the artifact; null for a command. */
  handler: string | null;
  /** A worker of any language: run from the artifact's root. */
  command: string[] | null;
  /** Equal fingerprints mean that a running worker need not roll. Hex sha256. */
  fingerprint: { code: string; dependencies: string };
}

/** The endpoints of one build, sorted by name. */
export type AppSpec = EndpointSpec[];
