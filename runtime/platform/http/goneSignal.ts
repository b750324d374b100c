import type { ServerResponse } from 'node:http';

/** A signal that is raised when the client has gone, or has its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
