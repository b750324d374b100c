/** Reads toolkit_manifest.json. Separate from the code that writes it, so that writing does not load zod. */
import * as z from 'zod/mini';
import type { AppSpec, EndpointSpec, RouteSpec } from './appSpec.ts';
import type { RouteMethod } from './endpoint.ts';
import { ToolkitError } from './errors.ts';

const functionSchema = z.object({
  name: z.string(),
  module: z.string(),
  file: z.string(),
  async: z.boolean(),
  class: z.optional(z.string()),
});

const resourceSchema = z.object({
  is_load_balanced: z.optional(z.literal(true)),
  imageName: z.string(),
  workersMin: z.int().check(z.nonnegative()),
  workersMax: z.int().check(z.nonnegative()),
  gpuIds: z.optional(z.string()),
  env: z.record(z.string(), z.string()),
  functions: z.array(functionSchema),
  cpu: z.optional(z.string()),
  gpuTypes: z.optional(z.array(z.string())),
  idleTimeout: z.int().check(z.nonnegative()),
  gpuCount: z.int().check(z.positive()),
  executionTimeout: z.nullable(z.number().check(z.positive())),
  maxConcurrency: z.nullable(z.int().check(z.positive())),
  python: z.string().check(z.regex(/^3\.\d+$/)),
  dependencies: z.array(z.string()),
  excluded: z.array(z.string()),
  baseLayer: z.array(z.string()),
  dependencySet: z.string(),
  handler: z.nullable(z.string()),
  command: z.nullable(z.array(z.string())),
  fingerprint: z.object({ code: z.string(), dependencies: z.string() }),
});

/** The schema of the whole file. */
export const manifestSchema = z.object({
  resources: z.record(z.string(), resourceSchema),
  routes: z.record(z.string(), z.record(z.string(), z.string())),
  handlers: z.record(z.string(), z.record(z.string(), z.string())),
});

export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Reads a manifest that may be malformed.
 *
 * @throws ToolkitError MANIFEST_INVALID naming the first invalid field.
 */
export function decodeManifest(json: unknown): AppSpec {
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ToolkitError(
      'MANIFEST_INVALID',
      `The manifest's ${issue.path.join('.') || 'root'} is invalid: ${issue.message}.`,
      {
        hint: 'Build again with this version of the toolkit.',
      },
    );
  }
  const { resources, handlers } = parsed.data;
  return Object.entries(resources).map(([name, resource]) =>
    decodeResource(name, resource, handlers[name] ?? {}),
  );
}

function decodeResource(
  name: string,
  resource: Manifest['resources'][string],
  handlers: Record<string, string>,
): EndpointSpec {
  const { is_load_balanced, imageName, gpuIds, gpuTypes, cpu, ...same } = resource;
  const hardware =
    gpuIds !== undefined ? { gpu: gpuIds, gpuTypes: gpuTypes ?? [] } : cpu !== undefined ? { cpu } : null;
  if (!hardware)
    throw new ToolkitError(
      'MANIFEST_INVALID',
      `The manifest's resource "${name}" has neither gpuIds nor cpu.`,
    );
  return {
    name,
    kind: is_load_balanced ? 'load-balanced' : 'queue',
    image: imageName,
    hardware,
    ...same,
    functions: resource.functions.map((served) => ({ ...served, class: served.class ?? null })),
    routes: Object.entries(handlers).map(([key, target]) => decodeRoute(name, key, target)),
  };
}

function decodeRoute(endpoint: string, key: string, target: string): RouteSpec {
  const space = key.indexOf(' ');
  const colon = target.lastIndexOf(':');
  if (space <= 0 || colon <= 0) {
    throw new ToolkitError(
      'MANIFEST_INVALID',
      `The manifest's route "${key}" of "${endpoint}" is invalid: "${target}".`,
    );
  }
  return {
    method: key.slice(0, space) as RouteMethod,
    path: key.slice(space + 1),
    module: target.slice(0, colon),
    function: target.slice(colon + 1),
  };
}
