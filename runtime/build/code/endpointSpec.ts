/** A declaration and the results of its build → the specification that the manifest, the platform and workers use. */

import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { Hardware } from '../../contract/endpoint.ts';
import { groupOfGpuType } from '../../contract/hardware.ts';
import { DEFAULTS } from '../../contract/limits.ts';
import { BASE_IMAGES } from '../../contract/names.ts';
import type { NamedEndpoint } from './groupEndpoints.ts';

/** The fields that the build adds to a declaration. */
export type BuiltFields = Pick<
  EndpointSpec,
  'python' | 'excluded' | 'baseLayer' | 'dependencySet' | 'handler' | 'fingerprint'
>;

/** The complete specification of one endpoint. */
export function endpointSpec(endpoint: NamedEndpoint, built: BuiltFields): EndpointSpec {
  const hardware = hardwareOf(endpoint.hardware);
  const isQueue = endpoint.kind === 'queue';
  const literal = Object.entries(endpoint.env ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    name: endpoint.name,
    kind: endpoint.kind,
    image: endpoint.image ?? ('cpu' in hardware ? BASE_IMAGES.cpu : BASE_IMAGES.gpu),
    hardware,
    workersMin: endpoint.workers?.min ?? DEFAULTS.workersMin,
    workersMax: endpoint.workers?.max ?? DEFAULTS.workersMax,
    idleTimeout: endpoint.idleTimeout ?? DEFAULTS.idleTimeoutSeconds,
    gpuCount: endpoint.gpuCount ?? DEFAULTS.gpuCount,
    executionTimeout: endpoint.executionTimeout ?? (isQueue ? DEFAULTS.executionTimeoutSeconds : null),
    maxConcurrency: endpoint.maxConcurrency ?? (isQueue ? DEFAULTS.maxConcurrency : null),
    env: Object.fromEntries(literal.sort(([a], [b]) => (a < b ? -1 : 1))),
    dependencies: [...(endpoint.dependencies ?? [])].sort(),
    functions: endpoint.functions.map(({ name, class: of, module, file, async }) => ({
      name,
      class: of,
      module,
      file,
      async,
    })),
    routes: endpoint.routes.map(({ method, path, function: served, module }) => ({
      method,
      path,
      function: served,
      module,
    })),
    command: endpoint.command,
    ...built,
  };
}

/** A GPU type becomes its group, limited to that type. */
function hardwareOf(hardware: Hardware | null): EndpointSpec['hardware'] {
  if (hardware === null) return { gpu: DEFAULTS.gpu, gpuTypes: [] };
  if ('cpu' in hardware) return { cpu: hardware.cpu };
  const group = groupOfGpuType(hardware.gpu);
  return group === null ? { gpu: hardware.gpu, gpuTypes: [] } : { gpu: group, gpuTypes: [hardware.gpu] };
}
