/**
 * The routes below `/v2/<endpoint>/`, which clients call most: a table of their own in front of Koa, on Node's own request
 * and response.
 */
import type { IncomingMessage } from 'node:http';
import { type Exchange, type Target, targetOf } from './exchange.ts';

export type Handler = (http: Exchange) => void | Promise<void>;

/** Where a request goes. */
export interface Match {
  handler: Handler;
  target: Target;
  /** Of the path, by name. */
  parameters: ReadonlyMap<string, string>;
}

interface Route {
  /** null: any. A route for GET answers HEAD, too. */
  method: string | null;
  /** Behind the endpoint: words, and names of parameters after a colon. */
  segments: string[];
  handler: Handler;
}

export class Routes {
  /** By the first word behind the endpoint. */
  readonly #routes = new Map<string, Route[]>();
  #others: Handler | null = null;

  /** @param pattern - Such as `status/:job`, behind `/v2/<endpoint>/`; the endpoint is the parameter `endpoint`. */
  add(method: string | null, pattern: string, handler: Handler): void {
    const segments = pattern.split('/');
    const [word] = segments as [string];
    this.#routes.set(word, [...(this.#routes.get(word) ?? []), { method, segments, handler }]);
  }

  /** What answers below an endpoint where no route does. */
  addOthers(handler: Handler): void {
    this.#others = handler;
  }

  /** The route of a request, whose words may be in any case; null when it goes elsewhere. */
  find(request: IncomingMessage): Match | null {
    const target = targetOf(request);
    const [root, version, endpoint, ...segments] = target.path.split('/');
    if (root !== '' || version?.toLowerCase() !== 'v2' || !endpoint) return null;
    if (segments.at(-1) === '') segments.pop();
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = this.#routes
      .get((segments[0] ?? '').toLowerCase())
      ?.find((one) => (one.method === null || one.method === method) && fits(one.segments, segments));
    const parameters = new Map([['endpoint', decoded(endpoint)]]);
    for (const [index, segment] of route?.segments.entries() ?? [])
      if (segment.startsWith(':')) parameters.set(segment.slice(1), decoded(segments[index]!));
    const handler = route?.handler ?? this.#others;
    return handler && { handler, target, parameters };
  }
}

function fits(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index]!.toLowerCase(),
    )
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
