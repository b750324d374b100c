/** Dev's own paths other than `GET /`: what it says about the project, and the request page. */
import { Router } from '@koa/router';
import { requireToken } from './admit.ts';

export interface DevPages {
  /** Needed by every request; null where only this machine can connect. */
  token: string | null;
  /** The body of `GET /openapi.json`. */
  openapi(): Promise<object>;
}

export function devPages({ token, openapi }: DevPages): Router {
  const router = new Router();
  router.use(async ({ headers }, next) => {
    if (token !== null) requireToken(headers, token);
    await next();
  });
  router.get('/openapi.json', async (http) => {
    http.body = await openapi();
  });
  return router;
}
