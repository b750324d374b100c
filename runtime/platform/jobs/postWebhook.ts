/**
 * Sends one webhook as a POST. The policy must allow the address of every hop, regardless of what DNS
 * returns.
 */
import { lookup } from 'node:dns';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { type JsonText, sizeOf } from '../json/jsonText.ts';
import { type AddressPolicy, literalAddress } from './webhookTarget.ts';

const TIMEOUT_MS = 30_000;
const MOST_REDIRECTS = 3;

/**
 * Posts JSON and follows redirects that keep the method.
 *
 * @returns the status of the last response. Only 200 acknowledges.
 * @throws Error if a hop is refused, cannot be reached, or does not respond within 30 s.
 */
export async function postWebhook(
  target: string,
  body: JsonText,
  allows: AddressPolicy,
  signal: AbortSignal,
): Promise<number> {
  let url = new URL(target);
  for (let hop = 0; ; hop += 1) {
    const { status, location } = await post(url, body, allows, signal);
    if ((status !== 307 && status !== 308) || !location || hop === MOST_REDIRECTS) return status;
    url = new URL(location, url);
  }
}

async function post(
  url: URL,
  body: JsonText,
  allows: AddressPolicy,
  signal: AbortSignal,
): Promise<{ status: number; location: string | undefined }> {
  if (!/^https?:$/.test(url.protocol)) throw new Error(`${url.protocol} URLs are not allowed`);
  const literal = literalAddress(url);
  if (literal !== null && !allows(literal)) throw refusal(literal);
  // TLS takes 8 MB of memory, so it is loaded only when it is needed.
  const send = url.protocol === 'https:' ? process.getBuiltinModule('node:https').request : httpRequest;
  const answer = await new Promise<IncomingMessage>((answered, failed) => {
    const request: ClientRequest = send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': sizeOf(body),
        'user-agent': 'toolkit-platform',
      },
      // Do not reuse a connection: it may lead to another address.
      agent: false,
      lookup: checkedLookup(allows),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    request.once('response', answered);
    request.once('error', failed);
    request.end(body);
  });
  answer.destroy();
  return { status: answer.statusCode ?? 0, location: answer.headers.location };
}

/** Resolves a name to the addresses to connect to. All of them must be allowed. */
function checkedLookup(allows: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { family: options.family ?? 0, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const refused = addresses.find(({ address }) => !allows(address));
      const [first] = addresses;
      if (refused || !first) return callback(refusal(refused?.address ?? hostname), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function refusal(address: string): Error {
  return new Error(`${address} is a private address`);
}
