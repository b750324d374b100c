import type { Context } from 'koa';
import { JSON_TYPE } from './exchange.ts';

/**
 * Answers a request of Koa's on Node's own response: Koa compares what it is given to send with the classes of `fetch`,
 * which loads 15 MB that the platform does not use.
 */
export function sendBody(http: Context, status: number, body: string): void {
  const { res } = http;
  http.respond = false;
  res.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  res.end(body);
}
