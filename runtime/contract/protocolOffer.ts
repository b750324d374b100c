/**
 * A request that offers to go on in another protocol → the same request without the offer. A server may ignore offers
 * (RFC 9110, 7.8), but Node hands over each request with one as an upgrade, its body unread.
 */

/** A request as Node's server has read it. */
interface ReadRequest {
  method?: string | undefined;
  url?: string | undefined;
  httpVersion: string;
  headers: { upgrade?: string | undefined };
  rawHeaders: readonly string[];
}

/** Whether a request offers what HTTP clients offer by themselves: HTTP/2, as Java's does with every request, or TLS. */
export function isProtocolOffer({ headers }: ReadRequest): boolean {
  return /^(?:h2c|tls\/[\d.]+)$/i.test(headers.upgrade ?? '');
}

/** The request's head without the offer. Encode it as latin1: each character is one byte. */
export function headWithoutOffer({ method, url, httpVersion, rawHeaders }: ReadRequest): string {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  return [`${method} ${url} HTTP/${httpVersion}`, ...headers, '', ''].join('\r\n');
}
