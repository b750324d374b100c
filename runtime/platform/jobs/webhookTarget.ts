/**
 * Decides which addresses a webhook can be sent to. Checks the URL when a job is submitted, and the resolved
 * address when the webhook is sent.
 */
import { BlockList, isIP } from 'node:net';
import { ToolkitError } from '../../contract/errors.ts';

/** Whether a webhook can be sent to an address. */
export type AddressPolicy = (address: string) => boolean;

/** Longest webhook URL, in characters. */
export const LONGEST_WEBHOOK = 2_048;

/** Special-purpose addresses (IANA's registries): this host, private and shared networks, link-local, reserved. */
const IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/**
 * Only 2000::/3 of IPv6 is routed publicly. Some networks inside it embed other addresses or are for
 * documentation.
 */
const IPV6: [string, number][] = [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
];

// Two lists, because one list would match IPv4 addresses against the IPv6 range that they are mapped into.
const specialIpv4 = new BlockList();
for (const [network, prefix] of IPV4) specialIpv4.addSubnet(network, prefix, 'ipv4');
const specialIpv6 = new BlockList();
for (const [network, prefix] of IPV6) specialIpv6.addSubnet(network, prefix, 'ipv6');

/** The policy of a shared platform: public addresses only. */
export const publicOnly: AddressPolicy = (address) =>
  isIP(address) === 4
    ? !specialIpv4.check(address)
    : isIP(address) === 6 && !specialIpv6.check(address, 'ipv6');

/** The policy of a platform whose owner allows targets in a private network. */
export const anyAddress: AddressPolicy = () => true;

/** The literal IP address in a URL; null if it has a host name. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : host;
}

/**
 * Checks the `webhook` of a request. The address that its name resolves to is checked when the webhook is
 * sent.
 *
 * @throws ToolkitError BAD_REQUEST if it is not an http(s) URL, FORBIDDEN for a private target.
 */
export function readWebhook(value: unknown, allows: AddressPolicy): string | null {
  if (value === undefined || value === null) return null;
  const isUrl = typeof value === 'string' && value.length <= LONGEST_WEBHOOK && URL.canParse(value);
  const url = isUrl ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ToolkitError(
      'BAD_REQUEST',
      `The field "webhook" must be an http or https URL of at most ${LONGEST_WEBHOOK} characters, with no user name or password.`,
    );
  }
  const literal = literalAddress(url);
  const isLocalName = /(^|\.)localhost\.?$/.test(url.hostname);
  if (literal === null ? isLocalName && !allows('127.0.0.1') : !allows(literal)) {
    throw new ToolkitError('FORBIDDEN', `The webhook's host ${url.hostname} is a private address.`, {
      hint: 'Use a public address. On your own platform, "toolkit platform start --allow-private-webhooks" allows private ones.',
    });
  }
  return url.href;
}
