/** The table of the main port's routes, a tree by the words of their paths, on Node's own request and response. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { type Exchange, type Target, targetOf } from './exchange.ts';

export type Handler = (http: Exchange) => void | Promise<void>;

/** Where a request goes. */
export interface Match {
  handler: Handler;
  target: Target;
  /** Of the path, by name. */
  parameters: ReadonlyMap<string, string>;
}

/** A place in the tree: what a path leads to up to one of its slashes. */
class Place {
  /** The next segment's words, in lower case. */
  readonly words = new Map<string, Place>();
  /** The next segment where it is none of the words. */
  parameter: { name: string; place: Place } | null = null;
  /** By method; null: any. */
  readonly handlers = new Map<string | null, Handler>();
  /** What answers below this place where nothing else does. */
  others: Handler | null = null;
}

export class Routes {
  readonly #root = new Place();

  /**
   * @param methods null: any.
   * @param path Such as `/v2/:endpoint/status/:job`, whose parameters stand after a colon.
   */
  add(methods: readonly string[] | null, path: string, handler: Handler): void {
    const place = this.#place(path);
    for (const method of methods ?? [null]) place.handlers.set(method, handler);
  }

  /** What answers below a path where no route does. */
  addOthers(path: string, handler: Handler): void {
    this.#place(path).others = handler;
  }

  /**
   * The route of a request, whose words may be in any case.
   *
   * @throws ToolkitError NOT_FOUND, METHOD_NOT_ALLOWED.
   */
  find(request: IncomingMessage): Match {
    const target = targetOf(request);
    const parameters = new Map<string, string>();
    let place: Place | null = this.#root;
    let others: Handler | null = null;
    for (const segment of segmentsOf(target.path)) {
      const word: Place | undefined = place.words.get(segment.toLowerCase());
      const { parameter }: Place = place;
      if (!word && parameter && segment !== '') parameters.set(parameter.name, decoded(segment));
      place = word ?? (segment === '' ? null : (parameter?.place ?? null));
      if (!place) break;
      others = place.others ?? others;
    }
    const { method = '' } = request;
    const { handlers } = place ?? new Place();
    const handler = handlers.get(method) ?? handlers.get(null);
    if (!handler && handlers.size > 0) throw new MethodNotAllowed(method, [...handlers.keys()].map(String));
    const found = handler ?? others;
    if (found) return { handler: found, target, parameters };
    throw new ToolkitError('NOT_FOUND', `There is nothing at ${method} ${target.path}.`);
  }

  #place(path: string): Place {
    let place = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(':')) {
        place.parameter ??= { name: segment.slice(1), place: new Place() };
        ({ place } = place.parameter);
      } else {
        const next = place.words.get(segment) ?? new Place();
        place.words.set(segment, next);
        place = next;
      }
    }
    return place;
  }
}

/** A 405, whose answer has the allowed methods in its `Allow` header. */
export class MethodNotAllowed extends ToolkitError {
  readonly allowed: readonly string[];

  constructor(method: string, allowed: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `${method} is not allowed here; use ${allowed.join(' or ')}.`);
    this.allowed = allowed;
  }
}

/** Of a path that begins with a slash; one at its end says nothing. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
