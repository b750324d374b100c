/** A ready-made curl for an endpoint; it fetches the key when it runs and never carries it. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import type { Parameter } from '../contract/endpoint.ts';
import type { ProjectReading } from '../source/reading.ts';

/** One request that fits the endpoint's kind and its function's parameters. */
export function curlFor(endpoint: RemoteEndpoint, reading: ProjectReading, embedded: boolean): string {
  const key = embedded ? '$(toolkit platform key)' : '$PLATFORM_API_KEY';
  const declared = reading.endpoints.filter(({ name }) => name === endpoint.name);
  const headers = `-H "Authorization: Bearer ${key}"`;
  if (endpoint.kind === 'queue') {
    const body = { input: example(declared[0]?.functions[0]?.parameters ?? []) };
    return `curl -X POST ${endpoint.url}/runsync ${headers} -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  }
  const route = declared.flatMap(({ routes }) => routes)[0];
  if (!route) return `curl ${endpoint.url} ${headers}`;
  const parameters = declared
    .flatMap(({ functions }) => functions)
    .find(({ name, module }) => name === route.function && module === route.module);
  const body =
    route.method === 'GET' || route.method === 'DELETE'
      ? ''
      : ` -H "Content-Type: application/json" -d '${JSON.stringify(example(parameters?.parameters ?? []))}'`;
  return `curl -X ${route.method} ${endpoint.url}${route.path} ${headers}${body}`;
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
