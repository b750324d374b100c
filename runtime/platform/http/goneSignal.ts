import type { Context } from 'koa';

/** A signal that is raised when the client has gone, or has its answer. */
export function goneSignal(http: Context): AbortSignal {
  const gone = new AbortController();
  http.res.once('close', () => gone.abort());
  return gone.signal;
}
