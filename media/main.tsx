/** Entry of the API explorer, both when served by the dev server and in a panel of VS Code. */
import { render } from 'preact';
import { devHost } from './devHost.ts';
import { openPanelHost } from './panel/panelHost.ts';
import { App } from './view/App.tsx';

const host = 'acquireVsCodeApi' in globalThis ? await openPanelHost() : devHost;
render(<App host={host} />, document.getElementById('app')!);
