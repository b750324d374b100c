/** One request to a route and its response, based on Node's own objects. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { type JsonText, joined, sizeOf } from '../json/jsonText.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path of the request's URL. */
  readonly path: string;
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #search: string;
  #query: ReturnType<typeof parse> | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { path, search }: Target,
    parameters: ReadonlyMap<string, string>,
  ) {
    this.request = request;
    this.response = response;
    this.path = path;
    this.#search = search;
    this.#parameters = parameters;
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  /** A header by its lower-case name; empty when the request has none. */
  header(name: string): string {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : '';
  }

  /** A part of the path, by its name in the route's pattern. */
  parameter(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  /** A parameter of the query; null if absent. Repeated values are joined by commas. */
  query(name: string): string | null {
    this.#query ??= parse(this.#search);
    const value = this.#query[name];
    return Array.isArray(value) ? value.join(',') : (value ?? null);
  }

  /**
   * Responds with the status that was set, or 200 by default.
   *
   * @param json - Pieces of the body, in order.
   */
  sendJson(...json: JsonText[]): void {
    const { response } = this;
    const pieces = joined(json);
    const length = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
    response.writeHead(response.statusCode, { 'content-type': JSON_TYPE, 'content-length': length });
    const last = pieces.pop();
    if (pieces.length > 0) response.cork();
    for (const piece of pieces) response.write(piece);
    response.end(last);
  }

  sendNothing(): void {
    this.response.writeHead(204);
    this.response.end();
  }
}

/** The two parts of a request's URL. */
export interface Target {
  path: string;
  /** Without its question mark. */
  search: string;
}

/** The target of a request. A request through a proxy contains the platform's origin too. */
export function targetOf({ url = '/' }: IncomingMessage): Target {
  if (!url.startsWith('/')) {
    const { pathname = '/', search = '' } = URL.parse(url) ?? {};
    return { path: pathname, search: search.slice(1) };
  }
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}
