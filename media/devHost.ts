/** The host of the page when served by the dev server: everything is on the same origin. */
import { PAGE_PATHS, type PageEvent, type PageProject } from '../runtime/contract/requestPage.ts';
import type { PageHost } from './PageHost.ts';

export const devHost: PageHost = {
  origin: location.origin,
  editor: null,
  async project() {
    const response = await fetch(PAGE_PATHS.project);
    if (!response.ok) throw new Error(`The dev server returned status ${response.status}.`);
    return (await response.json()) as PageProject;
  },
  follow(onEvent, onState) {
    const source = new EventSource(PAGE_PATHS.events);
    source.addEventListener('open', () => onState('connected'));
    source.addEventListener('error', () => onState('lost'));
    source.addEventListener('message', ({ data }) => onEvent(JSON.parse(data as string) as PageEvent));
    return () => source.close();
  },
  async send(path, { body, ...request }) {
    const json = body ? { body, headers: { 'content-type': 'application/json' } } : {};
    return await fetch(path, { ...request, ...json, cache: 'no-store' });
  },
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
  choice: {
    current: () => (location.hash === '' ? null : { key: decodeURIComponent(location.hash.slice(1)) }),
    choose: (key) => {
      location.hash = encodeURIComponent(key);
    },
    follow(changed) {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
  },
  store: {
    read(name) {
      try {
        return JSON.parse(localStorage.getItem(`toolkit.${name}`)!) ?? undefined;
      } catch {
        return undefined;
      }
    },
    /** A value too large for the browser's storage is kept only while the page is open. */
    write(name, value) {
      try {
        localStorage.setItem(`toolkit.${name}`, JSON.stringify(value));
      } catch {
        localStorage.removeItem(`toolkit.${name}`);
      }
    },
  },
};
