/** A request to a dev server, with the token that it may ask for: the page in the webview never has it. */
import { type ClientRequest, request } from 'node:http';
import type { DevAddress } from '../dev/DevServer.ts';

interface DevRequestOptions {
  method?: string;
  /** Sent as it is written: a URL would change dots, slashes and backslashes. */
  path: string;
  headers?: Record<string, string | number>;
}

/** The request, to be ended by the caller. */
export function devRequest(
  { url, token }: DevAddress,
  { method = 'GET', path, headers }: DevRequestOptions,
): ClientRequest {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return request(url, { method, path, headers: { ...headers, ...authorization } });
}
