/** A curl command for a function or a route. The key appears as an environment variable, never as its value. */
import { curlCall } from '../../runtime/contract/curlCommand.ts';
import type { LensTarget } from '../../runtime/contract/editorMessages.ts';

/** @param key - Environment variable of the key; null for a dev server that requires none. */
export function curlOf({ route, input }: LensTarget, url: string, key: string | null): string {
  return curlCall({
    method: route?.method ?? 'POST',
    url,
    key: key && `$${key}`,
    values: input ?? {},
    isQueue: route === null,
  }).join(' \\\n  ');
}
