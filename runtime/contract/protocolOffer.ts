/**
 * Removes the offer of another protocol from a request. A server may ignore such offers (RFC 9110, 7.8), but
 * Node treats each request with one as an upgrade and does not read its body.
 */

/** A request as parsed by Node's server. */
interface ReadRequest {
  method?: string | undefined;
  url?: string | undefined;
  httpVersion: string;
  headers: {
    upgrade?: string | undefined;
    'content-length'?: string | undefined;
    'transfer-encoding'?: string | undefined;
  };
  rawHeaders: readonly string[];
}

/** Protocols that HTTP clients offer automatically: HTTP/2, as Java's client does in every request, or TLS. */
const AUTOMATIC = /^(?:h2c|(?:http|tls)\/[\d.]+)$/i;

/**
 * Whether the offer in a request is ignored: a request with a body is served like any other, and so is one
 * that offers only other versions of HTTP, or TLS.
 */
export function isIgnoredOffer({ headers }: ReadRequest): boolean {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true;
  return (headers.upgrade ?? '').split(',').every((protocol) => AUTOMATIC.test(protocol.trim()));
}

/** The head of the request without the offer. Encode it as latin1: each character is one byte. */
export function headWithoutOffer({ method, url, httpVersion, rawHeaders }: ReadRequest): string {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  return [`${method} ${url} HTTP/${httpVersion}`, ...headers, '', ''].join('\r\n');
}
