import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client has disconnected or has its response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
