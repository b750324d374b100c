/** Refuses requests with a foreign Host or Origin, which a browser may have been tricked into sending. */
import type { IncomingHttpHeaders } from 'node:http';
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

  /** @throws ToolkitError FORBIDDEN for a foreign Host or Origin. */
  check(headers: IncomingHttpHeaders): void {
    const { host, origin } = headers;
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

function foreign(header: string, value: string): ToolkitError {
  return new ToolkitError(
    'FORBIDDEN',
    `The ${header} "${value.slice(0, 200)}" does not belong to this platform.`,
    {
      hint: 'Use the address that "toolkit platform status" prints.',
    },
  );
}
