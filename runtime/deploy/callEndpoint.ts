/** One call of a deployed endpoint, as its users make it: a job on a queue, or a request to a route. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { TERMINAL_STATES, type TerminalJobBody } from '../contract/job.ts';
import type { PlatformClient } from './platformClient.ts';

const POLL_MS = 250;

/** Runs one job and waits; the job goes on when the wait ends. */
export async function callQueue(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  input: unknown,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<TerminalJobBody> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  const wait = Math.min(Math.max(timeoutSeconds * 1000, 1000), 300_000);
  let body = await jobBody(client, `${endpoint.url}/runsync?wait=${wait}`, {
    method: 'POST',
    body: JSON.stringify({ input }),
    signal,
  });
  while (!TERMINAL_STATES.includes(body.status)) {
    if (Date.now() >= deadline) {
      throw new ToolkitError(
        'CALL_TIMEOUT',
        `"${endpoint.name}" did not answer within ${timeoutSeconds} s; its worker may still be provisioning. The job ${body.id} goes on.`,
        {
          hint: `Wait and retry with a longer --timeout, or ask ${endpoint.url}/status/${body.id}.`,
        },
      );
    }
    await sleep(POLL_MS, undefined, { signal });
    body = await jobBody(client, `${endpoint.url}/status/${body.id}`, { method: 'GET', signal });
  }
  return body;
}

async function jobBody(
  client: PlatformClient,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<TerminalJobBody> {
  const response = await client.fetch(url, { ...init, headers: { 'content-type': 'application/json' } });
  const body = (await response.json()) as TerminalJobBody & { hint?: string };
  if (!response.ok)
    throw new ToolkitError(
      'CALL_FAILED',
      `${url} answered ${response.status}: ${body.error ?? 'no reason given'}.`,
      { hint: body.hint ?? null },
    );
  return body;
}

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
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const url = new URL(endpoint.url + path);
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  if (inQuery)
    for (const [name, value] of Object.entries(rest))
      url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A route may answer anything: text is told as text.
    return text;
  }
}
