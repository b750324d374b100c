/**
 * toolkit_manifest.json. Only this module and its schema, manifestSchema.ts, know the field names; all other
 * code uses `AppSpec`. The Python worker reads the same file. test/fixtures/manifest proves that both agree.
 */
import type { AppSpec, EndpointSpec, FunctionSpec } from './appSpec.ts';
import type { Manifest } from './manifestSchema.ts';

/**
 * The manifest of a build. Keys are in a fixed order and endpoints sorted, so that equal builds give equal
 * bytes.
 */
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
    functions: endpoint.functions.map(encodeFunction),
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

/** A plain function has no `class`. */
function encodeFunction(served: FunctionSpec): Manifest['resources'][string]['functions'][number] {
  const { name, module, file, async } = served;
  return { name, module, file, async, ...(served.class === null ? {} : { class: served.class }) };
}
