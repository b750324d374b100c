/** Requests whose target is a whole URL, as clients send them to a proxy. Servers must accept them, too. */
import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#@]+)([^#]*)/i;

/**
 * Gives such a request the target that it has without a proxy. The URL's host replaces the Host header (RFC 9112,
 * 3.2.2). The rest of the URL stays exactly as it was sent.
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.startsWith('/')) return;
  const [, host, target = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  request.url = target.startsWith('/') ? target : `/${target}`;
}
