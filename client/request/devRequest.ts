/** Creates requests to a dev server and adds its token, if any. The page in the webview never has the token. */
import { type ClientRequest, request } from 'node:http';
import type { DevAddress } from '../dev/DevServer.ts';

interface DevRequestOptions {
  method?: string;
  /** Sent exactly as given: a URL would normalize dots, slashes and backslashes. */
  path: string;
  headers?: Record<string, string | number>;
}

/** Opens a request, which the caller must end. */
export function devRequest(
  { url, token }: DevAddress,
  { method = 'GET', path, headers }: DevRequestOptions,
): ClientRequest {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return request(url, { method, path, headers: { ...headers, ...authorization } });
}
