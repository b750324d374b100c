/** One request to a route of a deployed load-balanced endpoint. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { parseExact } from './exactJson.ts';
import type { PlatformClient } from './platformClient.ts';

/** An answer of a load-balanced route. */
export interface RouteAnswer {
  status: number;
  body: unknown;
}

/** Asks a route; GET and DELETE take their parameters in the query. */
export async function callRoute(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  route: { method: string; path: string },
  input: Record<string, unknown>,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<RouteAnswer> {
  const rest = { ...input };
  const path = route.path.replace(/\{(\w+)(?::\w+)?\}/g, (whole, name: string) => {
    if (!(name in rest)) return whole;
    const value = asText(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const url = new URL(endpoint.url + path);
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  if (inQuery) for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, asText(value));
  const timeout = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  try {
    const response = await client.fetch(url.href, {
      method: route.method,
      ...(inQuery ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }),
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text) };
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ToolkitError(
      'CALL_TIMEOUT',
      `"${endpoint.name}" did not answer within ${timeoutSeconds} s; its worker may still be provisioning.`,
      {
        hint: 'Wait and retry with a longer --timeout.',
      },
    );
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // A route may answer anything: text is told as text.
    return text;
  }
}
