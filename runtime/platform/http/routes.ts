/** The routes of the main port, as a tree of path segments. Works on Node's own request and response. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { type Exchange, type Target, targetOf } from './exchange.ts';

export type Handler = (http: Exchange) => void | Promise<void>;

/** The handler of a request. */
export interface Match {
  handler: Handler;
  target: Target;
  /** Parameters of the path, by name. */
  parameters: ReadonlyMap<string, string>;
}

/** A node of the tree. Each node stands for the start of a path, up to a slash. */
class PathNode {
  /** Next segments that are fixed words, in lower case. */
  readonly words = new Map<string, PathNode>();
  /** Any other next segment. */
  parameter: { name: string; node: PathNode } | null = null;
  /** By method; null: any. */
  readonly handlers = new Map<string | null, Handler>();
  /** Handles requests below this node that no route matches. */
  others: Handler | null = null;
}

export class Routes {
  readonly #root = new PathNode();

  /**
   * @param methods null: any.
   * @param path Such as `/v2/:endpoint/status/:job`. Parameters start with a colon.
   */
  add(methods: readonly string[] | null, path: string, handler: Handler): void {
    const node = this.#node(path);
    for (const method of methods ?? [null]) node.handlers.set(method, handler);
  }

  /** Handles requests below a path that no route matches. */
  addOthers(path: string, handler: Handler): void {
    this.#node(path).others = handler;
  }

  /**
   * Finds the route of a request. Words of the path match in any case.
   *
   * @throws ToolkitError NOT_FOUND, METHOD_NOT_ALLOWED.
   */
  find(request: IncomingMessage): Match {
    const target = targetOf(request);
    const parameters = new Map<string, string>();
    let node: PathNode | null = this.#root;
    let others: Handler | null = null;
    for (const segment of segmentsOf(target.path)) {
      const word: PathNode | undefined = node.words.get(segment.toLowerCase());
      const { parameter }: PathNode = node;
      if (!word && parameter && segment !== '') parameters.set(parameter.name, decoded(segment));
      node = word ?? (segment === '' ? null : (parameter?.node ?? null));
      if (!node) break;
      others = node.others ?? others;
    }
    const { method = '' } = request;
    const { handlers } = node ?? new PathNode();
    const handler = handlers.get(method) ?? handlers.get(null);
    if (!handler && handlers.size > 0) throw new MethodNotAllowed(method, [...handlers.keys()].map(String));
    const found = handler ?? others;
    if (found) return { handler: found, target, parameters };
    throw new ToolkitError('NOT_FOUND', `No route matches ${method} ${target.path}.`);
  }

  #node(path: string): PathNode {
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(':')) {
        node.parameter ??= { name: segment.slice(1), node: new PathNode() };
        ({ node } = node.parameter);
      } else {
        const next = node.words.get(segment) ?? new PathNode();
        node.words.set(segment, next);
        node = next;
      }
    }
    return node;
  }
}

/** A 405. Its response lists the allowed methods in the `Allow` header. */
export class MethodNotAllowed extends ToolkitError {
  readonly allowed: readonly string[];

  constructor(method: string, allowed: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `${method} is not allowed here; use ${allowed.join(' or ')}.`);
    this.allowed = allowed;
  }
}

/** The segments of a path that begins with a slash. A trailing slash is ignored. */
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
