/**
 * Removes the offer of another protocol from a request. A server may ignore such offers (RFC 9110, 7.8), but
 * Node treats each request with one as an upgrade and does not read its body.
 */

/** A request as parsed by Node's server. */
interface ReadRequest {
  method?: string | undefined;
  url?: string | undefined;
  httpVersion: string;
  headers: { upgrade?: string | undefined };
  rawHeaders: readonly string[];
}

/**
 * Whether a request offers a protocol that HTTP clients offer automatically: HTTP/2, as Java's client does in
 * every request, or TLS.
 */
export function isProtocolOffer({ headers }: ReadRequest): boolean {
  return /^(?:h2c|tls\/[\d.]+)$/i.test(headers.upgrade ?? '');
}

/** The head of the request without the offer. Encode it as latin1: each character is one byte. */
export function headWithoutOffer({ method, url, httpVersion, rawHeaders }: ReadRequest): string {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  return [`${method} ${url} HTTP/${httpVersion}`, ...headers, '', ''].join('\r\n');
}
