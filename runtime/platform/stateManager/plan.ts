/**
 * Computes the changes of a deploy: the difference between the current environment and the endpoints of a
 * build.
 */

import type { EndpointSpec } from '../../contract/appSpec.ts';
import type { Plan } from '../../contract/deployment.ts';
import type { DeployedEndpoint } from '../endpoints.ts';

/** Settings that take effect without new workers, in the user's words. */
const WITHOUT_ROLL = new Set(['settings: workers', 'settings: idle_timeout']);

/** Argument of `Endpoint` → the fields of the manifest that it determines. */
const SETTINGS: Record<string, (spec: EndpointSpec) => unknown> = {
  kind: (spec) => spec.kind,
  gpu: (spec) => ('gpu' in spec.hardware ? [spec.hardware.gpu, spec.hardware.gpuTypes] : null),
  cpu: (spec) => ('cpu' in spec.hardware ? spec.hardware.cpu : null),
  workers: (spec) => [spec.workersMin, spec.workersMax],
  idle_timeout: (spec) => spec.idleTimeout,
  gpu_count: (spec) => spec.gpuCount,
  image: (spec) => spec.image,
  execution_timeout: (spec) => spec.executionTimeout,
  max_concurrency: (spec) => spec.maxConcurrency,
  python: (spec) => spec.python,
  command: (spec) => spec.command,
};

/** The plan, its lists sorted by name. */
export function computePlan(
  current: DeployedEndpoint[],
  wanted: EndpointSpec[],
  secrets: Record<string, Record<string, string>>,
): Plan {
  const plan: Plan = { create: [], update: [], unchanged: [], remove: [] };
  const byName = new Map(current.map((endpoint) => [endpoint.name, endpoint]));
  for (const spec of wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const endpoint = byName.get(spec.name);
    byName.delete(spec.name);
    if (!endpoint) {
      plan.create.push(spec.name);
      continue;
    }
    const reasons = changeReasons(endpoint, spec, secrets[spec.name] ?? {});
    if (reasons.length > 0) plan.update.push({ name: spec.name, reasons });
    else plan.unchanged.push(spec.name);
  }
  plan.remove = [...byName.keys()].toSorted();
  return plan;
}

export function isUnchanged(plan: Plan): boolean {
  return plan.create.length + plan.update.length + plan.remove.length === 0;
}

/** What serves after a deploy of this plan was rolled back, as the end of a sentence. */
export function afterUndoing({ update, unchanged, remove }: Plan): string {
  const isFirst = update.length + unchanged.length + remove.length === 0;
  return isFirst ? 'nothing was deployed' : 'the previous build is still running';
}

/** Whether a change needs new workers. */
export function needsRoll(reasons: string[]): boolean {
  return reasons.some((reason) => !WITHOUT_ROLL.has(reason));
}

function changeReasons(
  endpoint: DeployedEndpoint,
  spec: EndpointSpec,
  secrets: Record<string, string>,
): string[] {
  const { spec: before } = endpoint;
  const reasons: string[] = [];
  const code = (of: EndpointSpec) => [of.fingerprint.code, of.handler, of.functions, sortedRoutes(of)];
  if (!equal(code(before), code(spec))) reasons.push('code');
  const dependencies = (of: EndpointSpec) => [of.fingerprint.dependencies, of.baseLayer];
  if (!equal(dependencies(before), dependencies(spec))) reasons.push('dependencies');
  for (const [setting, read] of Object.entries(SETTINGS)) {
    if (!equal(read(before), read(spec))) reasons.push(`settings: ${setting}`);
  }
  const variables = (of: EndpointSpec, values: Record<string, string>) =>
    sortedEntries({ ...of.env, ...values });
  if (!equal(variables(before, endpoint.secrets), variables(spec, secrets))) reasons.push('settings: env');
  return reasons;
}

/** The order of routes in a manifest has no meaning. */
function sortedRoutes(spec: EndpointSpec): string[] {
  return spec.routes
    .map((route) => `${route.method} ${route.path} ${route.module}:${route.function}`)
    .toSorted();
}

function sortedEntries(values: Record<string, string>): [string, string][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function equal(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
