/**
 * What the platform and the worker know about an app's build: plain types. manifest.ts converts them to the
 * file's form.
 */
import type { EndpointKind, RouteMethod } from './endpoint.ts';

/** A function that an endpoint serves. `file` is relative to the artifact's root. */
export interface FunctionSpec {
  name: string;
  /** The class of the method, instantiated once per worker; null for a plain function. */
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

/** Everything the platform and the worker need to know about one endpoint. */
export interface EndpointSpec {
  name: string;
  kind: EndpointKind;
  /** Name of the runtime image; one of `BASE_IMAGES` when the declaration names none. */
  image: string;
  /** The group's member name and, if the declaration names GPU types, those types. */
  hardware: { gpu: string; gpuTypes: string[] } | { cpu: string };
  workersMin: number;
  workersMax: number;
  /** Seconds. */
  idleTimeout: number;
  /** GPUs per worker. */
  gpuCount: number;
  /**
   * Seconds. For a load-balanced endpoint: until the first byte of a response; null: the platform's own limit.
   */
  executionTimeout: number | null;
  /**
   * Jobs or requests that one worker handles at the same time. Null, for load-balanced endpoints only: no
   * limit.
   */
  maxConcurrency: number | null;
  /** Literal values of the declaration. Values from the environment are never in the manifest. */
  env: Record<string, string>;
  /** Minor version that the build targets, such as `3.11`. */
  python: string;
  /** As declared, sorted. */
  dependencies: string[];
  /** Names left out of the artifact, automatically or by `--exclude`, sorted. */
  excluded: string[];
  /** Packages of the locked set that the base image provides, `name==version`, sorted. */
  baseLayer: string[];
  /** Name of the dependency set (a folder under `_toolkit/dependencies`). */
  dependencySet: string;
  functions: FunctionSpec[];
  routes: RouteSpec[];
  /** Path of the generated handler inside the artifact; null for a command. */
  handler: string | null;
  /** A worker in any language: run from the artifact's root. */
  command: string[] | null;
  /** If the fingerprints are equal, a running worker need not be replaced. Hex sha256. */
  fingerprint: { code: string; dependencies: string };
}

/** The endpoints of one build, sorted by name. */
export type AppSpec = EndpointSpec[];
