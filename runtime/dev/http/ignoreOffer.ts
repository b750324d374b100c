/** A request that offers to go on in another protocol → the same request without the offer. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Whether a request offers what HTTP clients offer by themselves: HTTP/2, as Java's does with every request, or TLS. */
export function isOffer({ headers }: IncomingMessage): boolean {
  return /^(?:h2c|tls\/[\d.]+)$/i.test(headers.upgrade ?? '');
}

/**
 * Serves a request as one that makes no offer, as a server may (RFC 9110, 7.8). Node hands over each request with an offer
 * as an upgrade, its body unread, so the server gets it again.
 *
 * @param head - What of the body has come.
 */
export function ignoreOffer(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headers, '', ''];
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}
