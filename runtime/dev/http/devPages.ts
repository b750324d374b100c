/** Dev's own paths other than `GET /`: the OpenAPI document and the API explorer. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { Router, type RouterContext } from '@koa/router';
import { ToolkitError } from '../../contract/errors.ts';
import { PAGE_PATHS, type PageProject } from '../../contract/requestPage.ts';
import { distFile } from '../../source/assets.ts';
import type { EventFeed } from '../EventFeed.ts';
import { requireToken, TOKEN_COOKIE } from './admit.ts';

export interface DevPages {
  /** Required in every request; null if only this machine can connect. */
  token: string | null;
  /** The body of `GET /openapi.json`. */
  openapi(): Promise<object>;
  /** The data of the API explorer. */
  project(): Promise<PageProject>;
  events: EventFeed;
}

/** HTML of the pages; inlined by the bundler. */
declare const PAGES: { index: string; signIn: string };

/** Nothing may be loaded, except what a page adds. */
const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE =
  "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:";

/** A reader that does not keep up is disconnected; a browser then reconnects. */
const MAX_UNREAD_BYTES = 1_000_000;

/** Bundled files of the API explorer. */
const TYPES = new Map([
  ['page.js', 'text/javascript'],
  ['page.css', 'text/css'],
]);

export function devPages(pages: DevPages): Router {
  const router = new Router();
  router.use(async (http, next) => {
    http.set({
      'Content-Security-Policy': CLOSED,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    });
    try {
      if (pages.token !== null) requireToken(http.headers, pages.token);
    } catch (error) {
      if (http.path !== PAGE_PATHS.page) throw error;
      return signIn(http);
    }
    await next();
  });
  router.get('/openapi.json', async (http) => {
    http.body = await pages.openapi();
  });
  router.get(PAGE_PATHS.page, (http) => {
    http.set('Content-Security-Policy', `${CLOSED}; ${PAGE}`);
    http.type = 'html';
    http.body = PAGES.index;
  });
  router.get(`${PAGE_PATHS.files}/:name`, async (http) => {
    const name = http.params['name']!;
    const type = TYPES.get(name);
    if (type === undefined) throw new ToolkitError('NOT_FOUND', `The API explorer has no file "${name}".`);
    http.type = type;
    http.body = await readFile(distFile(`media/${name}`), 'utf8');
  });
  router.post(PAGE_PATHS.session, (http) => {
    const name = `${TOKEN_COOKIE}${http.req.socket.localPort}`;
    if (pages.token !== null) http.cookies.set(name, pages.token, { httpOnly: true, sameSite: 'strict' });
    http.status = 204;
  });
  router.get(PAGE_PATHS.project, async (http) => {
    http.body = await pages.project();
  });
  router.get(PAGE_PATHS.events, (http) => {
    http.type = 'text/event-stream';
    http.body = eventStream(pages.events);
  });
  return router;
}

/** Serves the sign-in page to a browser without the cookie. It reads the token from the address, or asks for it. */
function signIn(http: RouterContext): void {
  const page = PAGES.signIn;
  const hashes = (tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))]
      .map(([, text]) => `'sha256-${hash('sha256', text!, 'base64')}'`)
      .join(' ');
  const own = `script-src ${hashes('script')}; style-src ${hashes('style')}; connect-src 'self'`;
  http.set('Content-Security-Policy', `${CLOSED}; ${own}`);
  http.status = 401;
  http.type = 'html';
  http.body = page;
}

function eventStream(events: EventFeed): PassThrough {
  const stream = new PassThrough();
  // An empty comment, so that the browser knows it is connected.
  stream.write(':\n\n');
  const end = events.subscribe((event) => {
    if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
    else stream.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  stream.once('close', end);
  return stream;
}
