/** Declarations → one endpoint per name. Load-balanced declarations with the same name combine their routes. */
import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ToolkitError } from '../../contract/errors.ts';

/** An endpoint whose name is known. */
export type NamedEndpoint = Endpoint & { name: string };

/** Settings that must be the same in all declarations of a name. */
const SETTINGS = [
  'hardware',
  'workers',
  'idleTimeout',
  'env',
  'envFrom',
  'image',
  'gpuCount',
  'executionTimeout',
  'maxConcurrency',
  'command',
] as const;

/**
 * Groups declarations by name, and sorts by name.
 *
 * @throws ToolkitError PROJECT_HAS_ERRORS if two declarations of a name differ.
 */
export function groupEndpoints(endpoints: readonly Endpoint[]): NamedEndpoint[] {
  const byName = new Map<string, NamedEndpoint>();
  for (const endpoint of endpoints) {
    if (endpoint.name === null) continue;
    const named: NamedEndpoint = { ...endpoint, name: endpoint.name };
    const earlier = byName.get(named.name);
    byName.set(named.name, earlier ? join(earlier, named) : named);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function join(first: NamedEndpoint, second: NamedEndpoint): NamedEndpoint {
  const different = SETTINGS.find((field) => !isDeepStrictEqual(first[field], second[field]));
  if (different || first.kind !== second.kind || first.kind === 'queue') {
    const place = `${first.file}:${first.line}`;
    const also = `"${second.name}" is also declared at ${place}`;
    const fault = different
      ? `${place} declares "${second.name}" with a different value of ${argumentName(different)}.`
      : first.kind === second.kind
        ? `${also}, but a queue-based endpoint serves exactly one function.`
        : `${also} as a ${first.kind === 'queue' ? 'queue-based' : 'load-balanced'} endpoint.`;
    throw new ToolkitError('PROJECT_HAS_ERRORS', `${second.file}:${second.line}: ${fault}`, {
      hint: 'Give one of them another name, or declare the endpoint once and import it.',
    });
  }
  return {
    ...first,
    dependencies: [...new Set([...(first.dependencies ?? []), ...(second.dependencies ?? [])])],
    functions: [...first.functions, ...second.functions],
    routes: [...first.routes, ...second.routes],
  };
}

/** The Python argument of a field: `idleTimeout` → `idle_timeout`. */
function argumentName(field: (typeof SETTINGS)[number]): string {
  if (field === 'hardware') return 'gpu or cpu';
  if (field === 'envFrom') return 'env';
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
