/** Rejects requests that a browser was tricked into (DNS rebinding, posts from other sites) or that lack the token. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkInterfaces, hostname as osHostname } from 'node:os';
import { ToolkitError } from '../../contract/errors.ts';

const LOCAL: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** Addresses that mean every address of this machine. */
const EVERY: readonly string[] = ['0.0.0.0', '::'];

/** Prefix of the token cookie's name. The port follows it, because the ports of a host share their cookies. */
export const TOKEN_COOKIE = 'toolkit-dev-';

/**
 * @param listening - The address that dev listens on, the only one that clients may call. If it means every address of
 *   this machine, they may call each of those and the machine's name.
 * @param external - A host registered by an attached client, which clients may call too.
 * @throws ToolkitError FORBIDDEN for any other Host or Origin.
 */
export function admit(
  { host, origin }: IncomingHttpHeaders,
  listening: string,
  external: string | null,
): void {
  const isAdmitted = (name: string) => name === external || isOwn(name, listening);
  if (!host || !isAdmitted(hostname(`http://${host}`))) throw foreign('Host', host ?? '');
  if (origin !== undefined && !isAdmitted(hostname(origin))) throw foreign('Origin', origin);
}

function isOwn(name: string, listening: string): boolean {
  if (name === inUrl(listening)) return true;
  if (isLoopback(listening)) return LOCAL.includes(name);
  return EVERY.includes(listening) && (LOCAL.includes(name) || ownNames().includes(name));
}

/** The current addresses of this machine, and its name. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return [osHostname().toLowerCase(), ...addresses.map(({ address }) => inUrl(address))];
}

/** A host in the form it has in a URL. */
function inUrl(host: string): string {
  return hostname(`http://${host.includes(':') ? `[${host.replace(/%.*$/, '')}]` : host}`);
}

/** Whether only this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Accepts the token as a bearer token, or in the cookie of a browser that has signed in.
 *
 * @throws ToolkitError UNAUTHORIZED for a request without this run's token.
 */
export function requireToken(headers: IncomingHttpHeaders, token: string): void {
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.slice(one.indexOf('=') + 1).trim());
  const wanted = Buffer.from(token);
  for (const text of [bearer(headers) ?? '', ...cookies]) {
    const given = Buffer.from(text);
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  }
  throw new ToolkitError('UNAUTHORIZED', 'This dev server is open to the network and requires a token.', {
    hint: 'Send the header "Authorization: Bearer <token>". "toolkit dev" prints the token when it starts.',
  });
}

/** The bearer token of a request. */
function bearer({ authorization }: IncomingHttpHeaders): string | null {
  return /^bearer\s+(.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? null;
}

function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function foreign(header: string, value: string): ToolkitError {
  return new ToolkitError(
    'FORBIDDEN',
    `The request was rejected: its ${header} header "${value.slice(0, 200)}" is not an address of this server.`,
    {
      hint: 'Use the address that "toolkit dev" prints.',
    },
  );
}
