/** The page as the dev server serves it: everything is on its own origin. */
import { PAGE_PATHS, type PageEvent, type PageProject } from '../runtime/contract/requestPage.ts';
import type { PageHost } from './PageHost.ts';
import { sendRequest } from './request/sendRequest.ts';

export const devHost: PageHost = {
  origin: location.origin,
  async project() {
    const response = await fetch(PAGE_PATHS.project);
    if (!response.ok) throw new Error(`The dev server answers ${response.status}.`);
    return (await response.json()) as PageProject;
  },
  follow(heard, connected) {
    const source = new EventSource(PAGE_PATHS.events);
    source.addEventListener('open', () => connected(true));
    source.addEventListener('error', () => connected(false));
    source.addEventListener('message', ({ data }) => heard(JSON.parse(data as string) as PageEvent));
    return () => source.close();
  },
  send: sendRequest,
  async copy(text) {
    if (isSecureContext) return navigator.clipboard.writeText(text);
    // Browsers offer `navigator.clipboard` only over HTTPS and on localhost.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  },
};
