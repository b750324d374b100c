/** A draft → the HTTP request. Texts are sent as typed, so that no number loses digits. */
import type { EndpointKind } from '../../runtime/contract/endpoint.ts';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { bodySchema, type Draft, fieldsOf } from './draft.ts';
import { fieldValues } from './fieldValue.ts';
import { withFiles } from './files.ts';

export interface HttpRequest {
  kind: EndpointKind;
  method: string;
  /** Including the query. */
  path: string;
  /** JSON. */
  body: string | null;
}

export function buildRequest(route: PageRoute, draft: Draft): HttpRequest {
  const root = route.input?.schema ?? {};
  const query = new URLSearchParams();
  let { path } = route;
  for (const field of fieldsOf(route)) {
    const text = draft.fields[field.name] ?? '';
    if (field.place === 'path') path = withParameter(path, field.name, text);
    else for (const value of fieldValues(text, field, root)) query.append(field.name, value);
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { kind: route.kind, method: route.method, path: path + search, body: bodyOf(route, draft) };
}

function bodyOf(route: PageRoute, { body, files = {} }: Draft): string | null {
  if (!bodySchema(route)) return null;
  const whole = withFiles(body, files);
  return route.kind === 'queue' ? `{"input": ${whole}}` : whole;
}

/** A parameter declared as `{name:path}` keeps its slashes. */
function withParameter(path: string, name: string, text: string): string {
  return path.replace(/\{([^}:]+)(:[^}]*)?\}/g, (whole, own: string, kind: string | undefined) => {
    if (own !== name || text === '') return whole;
    const encoded = encodeURIComponent(text);
    return kind === ':path' ? encoded.replaceAll('%2F', '/') : encoded;
  });
}
