/** Calls a route of a deployed load-balanced endpoint. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { parseExact } from './exactJson.ts';
import type { PlatformClient } from './platformClient.ts';

/** The response of a load-balanced route. */
export interface RouteAnswer {
  status: number;
  body: unknown;
}

/** Calls a route. GET and DELETE send their parameters in the query, other methods in a JSON body. */
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
    return { status: response.status, body: parse(await bodyOf(response, endpoint)) };
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ToolkitError(
      'CALL_TIMEOUT',
      `"${endpoint.name}" did not respond within ${timeoutSeconds} s; its worker may still be provisioning.`,
      {
        hint: 'Retry with a longer --timeout.',
      },
    );
  }
}

/** @throws ToolkitError CALL_FAILED when the connection ends before the body does. */
async function bodyOf(response: Response, { name }: RemoteEndpoint): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    // An abort has its own reason.
    if (!(error instanceof TypeError)) throw error;
    throw new ToolkitError('CALL_FAILED', `The response from "${name}" was cut off.`, {
      hint: `Run "toolkit logs ${name}" to see why.`,
      cause: error,
    });
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // A route can return anything; a body that is not JSON is returned as text.
    return text;
  }
}
