/** Refuses requests with a foreign Host or Origin, which a browser may have been tricked into sending. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';

/** A lower-case name, as nearly all clients send it. Parsing it as a URL would not change it. */
const SIMPLE_HOST = /^([a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)*|127\.0\.0\.1)(?::\d{1,5})?$/;
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

export class AllowedHosts {
  readonly #names: Set<string>;

  /** @param addresses URLs of the platform, in addition to this machine's own names. */
  constructor(addresses: string[]) {
    this.#names = new Set([...LOCAL, ...addresses.map((address) => new URL(address).hostname)]);
  }

  /** Whether a Host is one of the platform's own. */
  has(host: string): boolean {
    return this.#names.has(hostOf(host));
  }

  /** @throws ToolkitError BAD_REQUEST for several Host headers; FORBIDDEN for a foreign Host or Origin. */
  check({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
    const { host, origin } = headers;
    if (hasSeveralHosts(rawHeaders)) throw severalHosts();
    if (!host || !this.has(host)) throw foreign('Host', host ?? '');
    if (origin !== undefined && !this.#names.has(hostname(origin))) throw foreign('Origin', origin);
  }
}

/**
 * The host without its port. Parsing a URL for each request would take a significant part of the time to
 * forward it.
 */
function hostOf(host: string): string {
  return SIMPLE_HOST.exec(host)?.[1] ?? hostname(`http://${host}`);
}

function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** RFC 9112, 3.2. In `headers`, Node keeps only the first one. */
function hasSeveralHosts(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function severalHosts(): ToolkitError {
  return new ToolkitError('BAD_REQUEST', 'The request has more than one Host header.', {
    hint: 'Send one Host header, with the address that "toolkit platform status" prints.',
  });
}

function foreign(header: string, value: string): ToolkitError {
  return new ToolkitError(
    'FORBIDDEN',
    `The request was rejected: its ${header} header "${value.slice(0, 200)}" is not an address of this platform.`,
    {
      hint: 'Use the address that "toolkit platform status" prints.',
    },
  );
}
