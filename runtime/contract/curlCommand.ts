/**
 * Requests as curl commands for POSIX shells. They never contain a key: the shell inserts it when the command
 * runs.
 */
import type { Json } from './inputSchema.ts';

/** Environment variables that hold the key or token of a request. */
export const KEY_VARIABLES = { platform: 'PLATFORM_API_KEY', dev: 'TOOLKIT_DEV_TOKEN' } as const;

interface CurlRequest {
  method: string;
  url: string;
  /** A shell expression that expands to the key, such as `$PLATFORM_API_KEY`; null if no key is needed. */
  key: string | null;
  /** JSON. */
  body: string | null;
}

interface CurlCall extends Omit<CurlRequest, 'body'> {
  /** With its `{parameters}`. */
  url: string;
  /** By parameter. Parameters that are not in the path are sent in the query or the body. */
  values: Record<string, Json>;
  /** Whether the body wraps the values in `input`, as for a queue-based function. */
  isQueue: boolean;
}

/** Methods whose parameters are only in the path and the query. */
const WITHOUT_BODY: readonly string[] = ['GET', 'DELETE'];

/** @returns The command and each of its options, to be joined by spaces or by continued lines. */
export function curlCommand({ method, url, key, body }: CurlRequest): string[] {
  return [
    `curl -X ${method} ${shellWord(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(body)}`]),
  ];
}

/** The command that calls a function with these values. */
export function curlCall({ method, url, key, values, isQueue }: CurlCall): string[] {
  const rest = { ...values };
  const address = url.replace(/\{([^}:]+)(?::[^}]+)?\}/g, (parameter, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return value === undefined ? parameter : encodeURIComponent(text(value));
  });
  if (!WITHOUT_BODY.includes(method))
    return curlCommand({ method, url: address, key, body: JSON.stringify(isQueue ? { input: rest } : rest) });
  const query = Object.entries(rest).map(([name, value]) => `${name}=${encodeURIComponent(text(value))}`);
  const search = query.length > 0 ? `?${query.join('&')}` : '';
  return curlCommand({ method, url: address + search, key, body: null });
}

function text(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The shell interprets some characters, such as the ? and & of a query. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
