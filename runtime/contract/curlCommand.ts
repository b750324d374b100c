/** Requests as curl commands for POSIX shells. A key is never in one: the shell puts it in when the command runs. */
import type { Json } from './inputSchema.ts';

/** Environment variables that stand for what a request is admitted by. */
export const KEY_VARIABLES = { platform: 'PLATFORM_API_KEY', dev: 'TOOLKIT_DEV_TOKEN' } as const;

interface CurlRequest {
  method: string;
  url: string;
  /** What the shell replaces with the key, such as `$PLATFORM_API_KEY`; null where none is asked for. */
  key: string | null;
  /** JSON. */
  body: string | null;
}

interface CurlCall extends Omit<CurlRequest, 'body'> {
  /** With its `{parameters}`. */
  url: string;
  /** By parameter; those that are not in the path go into the query or the body. */
  values: Record<string, Json>;
  /** Whether the body wraps them, as that of a queue-based function does. */
  isQueue: boolean;
}

/** Methods whose parameters are in the path and the query alone. */
const WITHOUT_BODY: readonly string[] = ['GET', 'DELETE'];

/** @returns The command and each of its options, to be joined by spaces or by continued lines. */
export function curlCommand({ method, url, key, body }: CurlRequest): string[] {
  return [
    `curl -X ${method} ${shellWord(url)}`,
    ...(key === null ? [] : [`-H "Authorization: Bearer ${key}"`]),
    ...(body === null ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(body)}`]),
  ];
}

/** The command that calls a function with values. */
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

/** A shell would read some characters, such as the ? and & of a query. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
