/**
 * toolkit_manifest.json: this module and its schema, manifestSchema.ts, alone know the field names. Everything else
 * reads and writes `AppSpec`.
 * The Python worker reads the same file; both are held together by test/fixtures/manifest.
 */
import type { EndpointKind, RouteMethod } from './endpoint.ts';
import type { Manifest } from './manifestSchema.ts';

/** A function that an endpoint serves. `file` is relative to the artifact's root. */
export interface FunctionSpec {
  name: string;
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
  /** Seconds. */
  executionTimeout: number;
  maxConcurrency: number;
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

/** The manifest of a build: keys in a fixed order, endpoints sorted, so that equal builds give equal bytes. */
export function encodeManifest(app: AppSpec): Manifest {
  const sorted = app.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const manifest: Manifest = { resources: {}, routes: {}, handlers: {} };
  for (const endpoint of sorted) {
    manifest.resources[endpoint.name] = encodeResource(endpoint);
    if (endpoint.kind !== 'load-balanced') continue;
    const keyed = endpoint.routes.map((route) => [`${route.method} ${route.path}`, route] as const);
    manifest.routes[endpoint.name] = Object.fromEntries(keyed.map(([key, route]) => [key, route.function]));
    manifest.handlers[endpoint.name] = Object.fromEntries(
      keyed.map(([key, route]) => [key, `${route.module}:${route.function}`]),
    );
  }
  return manifest;
}

function encodeResource(endpoint: EndpointSpec): Manifest['resources'][string] {
  const { hardware } = endpoint;
  return {
    ...(endpoint.kind === 'load-balanced' ? { is_load_balanced: true as const } : {}),
    imageName: endpoint.image,
    workersMin: endpoint.workersMin,
    workersMax: endpoint.workersMax,
    ...('gpu' in hardware ? { gpuIds: hardware.gpu } : {}),
    env: endpoint.env,
    functions: endpoint.functions.map(({ name, module, file, async }) => ({ name, module, file, async })),
    ...('gpu' in hardware ? { gpuTypes: hardware.gpuTypes } : { cpu: hardware.cpu }),
    idleTimeout: endpoint.idleTimeout,
    gpuCount: endpoint.gpuCount,
    executionTimeout: endpoint.executionTimeout,
    maxConcurrency: endpoint.maxConcurrency,
    python: endpoint.python,
    dependencies: endpoint.dependencies,
    excluded: endpoint.excluded,
    baseLayer: endpoint.baseLayer,
    dependencySet: endpoint.dependencySet,
    handler: endpoint.handler,
    command: endpoint.command,
    fingerprint: endpoint.fingerprint,
  };
}
