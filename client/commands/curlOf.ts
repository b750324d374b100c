/** A ready-made curl for a function or a route. A key is named by its environment variable, never written. */
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';
import type { Json } from '../../runtime/contract/inputSchema.ts';

/** Methods whose parameters are in the path and the query alone. */
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE'];

/** @param needsKey - Whether the address is that of a platform; the dev server asks for no key. */
export function curlOf({ route, input }: LensTarget, url: string, needsKey: boolean): string {
  const method = route?.method ?? 'POST';
  const values = new Map(Object.entries(input ?? {}));
  const address = url.replace(/\{([^}:]+)(?::[^}]+)?\}/g, (parameter, name: string) => {
    const value = values.get(name);
    values.delete(name);
    return value === undefined ? parameter : encodeURIComponent(text(value));
  });
  const rest = Object.fromEntries(values);
  const hasBody = !WITHOUT_BODY.includes(method);
  const query = hasBody ? '' : queryOf(rest);
  const parts = [`curl -X ${method} ${quoted(address + query)}`];
  if (needsKey) parts.push('-H "Authorization: Bearer $PLATFORM_API_KEY"');
  if (hasBody) {
    const body = JSON.stringify(route ? rest : { input: rest });
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  }
  return parts.join(' \\\n  ');
}

function queryOf(values: Record<string, Json>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(text(value))}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function text(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
