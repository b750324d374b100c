/** The host of the page in a panel of VS Code: everything goes through messages to the extension host. */
import type { DevState, FromPanel, PanelState, ToPanel } from '../../runtime/contract/panelMessages.ts';
import { PAGE_PATHS, type PageEvent, type PageProject } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { Relay } from './Relay.ts';

/** Provided by VS Code to the scripts of a webview. */
declare const acquireVsCodeApi: () => {
  postMessage(message: FromPanel): void;
  setState(state: PanelState): void;
};

/** Resolves when the extension host has sent the project. */
export async function openPanelHost(): Promise<PageHost> {
  const { postMessage: post, setState } = acquireVsCodeApi();
  const relay = new Relay(post);
  const copies = new Map<number, (failure: string | null) => void>();
  const started = Promise.withResolvers<Record<string, unknown>>();
  const connected = Promise.withResolvers<void>();
  const changed = new EventTarget();
  let copied = 0;
  let state: PanelState = { root: '', choice: null };
  let dev: { state: DevState; origin: string | null } = { state: 'starting', origin: null };
  const keep = (next: PanelState) => {
    state = next;
    setState(next);
    changed.dispatchEvent(new Event('choice'));
  };
  addEventListener('message', ({ data, origin }: MessageEvent<ToPanel>) => {
    // Messages of the extension host come through a frame of VS Code that has this page's origin.
    if (origin !== globalThis.origin) return;
    switch (data.type) {
      case 'start':
        keep(data.state);
        return started.resolve(data.stored);
      case 'dev':
        dev = data;
        if (data.state === 'connected') connected.resolve();
        return changed.dispatchEvent(new Event('dev'));
      case 'event':
        return changed.dispatchEvent(new CustomEvent('event', { detail: data.event }));
      case 'choose':
        return keep({ ...state, choice: data.choice });
      case 'copied':
        copies.get(data.id)?.(data.failure);
        return copies.delete(data.id);
      default:
        return relay.receive(data);
    }
  });
  post({ type: 'ready' });
  const stored = await started.promise;
  const on = (name: string, listener: (event: Event) => void) => {
    changed.addEventListener(name, listener);
    return () => changed.removeEventListener(name, listener);
  };
  return {
    get origin() {
      return dev.origin ?? '';
    },
    async project() {
      await connected.promise;
      const response = await relay.send(PAGE_PATHS.project, {});
      if (!response.ok) throw new Error(`The dev server returned status ${response.status}.`);
      return (await response.json()) as PageProject;
    },
    follow(onEvent, onState) {
      const ends = [
        on('event', (event) => onEvent((event as CustomEvent<PageEvent>).detail)),
        on('dev', () => onState(dev.state)),
      ];
      onState(dev.state);
      return () => ends.forEach((end) => end());
    },
    send: relay.send,
    async copy(text) {
      const id = ++copied;
      const { promise, resolve } = Promise.withResolvers<string | null>();
      copies.set(id, resolve);
      post({ type: 'copy', id, text });
      const failure = await promise;
      if (failure !== null) throw new Error(failure);
    },
    choice: {
      current: () => state.choice,
      choose: (key) => keep({ ...state, choice: { key } }),
      follow: (listener) => on('choice', listener),
    },
    store: {
      read: (name) => stored[name],
      write: (name, value) => post({ type: 'store', name, value }),
    },
    editor: {
      openSource: (file, line) => post({ type: 'openSource', file, line }),
      save: (name, bytes) => post({ type: 'save', name, bytes }),
      startDev: () => post({ type: 'startDev' }),
    },
  };
}
