/** A curl command for an endpoint. It looks up the key when it runs and never contains it. */
import { curlCall, KEY_VARIABLES } from '../contract/curlCommand.ts';
import type { RemoteEndpoint } from '../contract/deployment.ts';
import type { Parameter } from '../contract/endpoint.ts';
import type { Json } from '../contract/inputSchema.ts';
import type { ProjectReading } from '../source/reading.ts';

/** The shell expression that expands to the key when the request runs. */
export function keyInShell(embedded: boolean): string {
  return embedded ? '$(toolkit platform key)' : `$${KEY_VARIABLES.platform}`;
}

/** One request that matches the endpoint's kind and its function's parameters. */
export function curlFor(endpoint: RemoteEndpoint, reading: ProjectReading, embedded: boolean): string {
  const declared = reading.endpoints.filter(({ name }) => name === endpoint.name);
  const functions = declared.flatMap((one) => one.functions);
  const isQueue = endpoint.kind === 'queue';
  const route = isQueue ? undefined : declared.flatMap(({ routes }) => routes)[0];
  const served = route
    ? functions.find(({ name, module }) => name === route.function && module === route.module)
    : functions[0];
  const path = isQueue ? '/runsync' : (route?.path ?? '');
  return curlCall({
    method: isQueue ? 'POST' : (route?.method ?? 'GET'),
    url: endpoint.url + path,
    key: keyInShell(embedded),
    values: example(served?.parameters ?? [], path),
    isQueue,
  }).join(' ');
}

/** A value of the annotated type for each parameter that is required or part of the path. */
function example(parameters: Parameter[], path: string): Record<string, Json> {
  const inPath = new Set(path.match(/(?<=\{)[^}:]+/g));
  const values: Record<string, Json> = {};
  for (const { name, annotation, required } of parameters) {
    if (!required && !inPath.has(name)) continue;
    const type = annotation ?? '';
    values[name] = /^(list|tuple|set)\b/i.test(type)
      ? []
      : /^dict\b/i.test(type)
        ? {}
        : /^(int|float)$/.test(type)
          ? 1
          : type === 'bool'
            ? true
            : 'Hello';
  }
  return values;
}
