/** A ready-made curl for an endpoint; it fetches the key when it runs and never carries it. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import type { Parameter } from '../contract/endpoint.ts';
import type { ProjectReading } from '../source/reading.ts';

/** What a shell puts in place of the key when the request runs. */
export function keyInShell(embedded: boolean): string {
  return embedded ? '$(toolkit platform key)' : '$PLATFORM_API_KEY';
}

/** One request that fits the endpoint's kind and its function's parameters. */
export function curlFor(endpoint: RemoteEndpoint, reading: ProjectReading, embedded: boolean): string {
  const declared = reading.endpoints.filter(({ name }) => name === endpoint.name);
  const headers = `-H "Authorization: Bearer ${keyInShell(embedded)}"`;
  if (endpoint.kind === 'queue') {
    const body = { input: example(declared[0]?.functions[0]?.parameters ?? []) };
    return `curl -X POST ${endpoint.url}/runsync ${headers} -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  }
  const route = declared.flatMap(({ routes }) => routes)[0];
  if (!route) return `curl ${endpoint.url} ${headers}`;
  const served = declared
    .flatMap(({ functions }) => functions)
    .find(({ name, module }) => name === route.function && module === route.module);
  const values = example(served?.parameters ?? []);
  const path = route.path.replace(/\{([^}:]+)(?::[^}]+)?\}/g, (_, name: string) => {
    const value = String(values[name] ?? 'Hello');
    delete values[name];
    return encodeURIComponent(value);
  });
  if (route.method !== 'GET' && route.method !== 'DELETE') {
    const body = JSON.stringify(values);
    return `curl -X ${route.method} ${endpoint.url}${path} ${headers} -H "Content-Type: application/json" -d '${body}'`;
  }
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const address = `${endpoint.url}${path}`;
  // A shell would read the ? and & of a query.
  return `curl -X ${route.method} ${query.length > 0 ? `"${address}?${query.join('&')}"` : address} ${headers}`;
}

/** A value of the annotated type for every parameter without a default. */
function example(parameters: Parameter[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, annotation, required } of parameters) {
    if (!required) continue;
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
