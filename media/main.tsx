/** The request page of the dev server. */
import { render } from 'preact';
import { devHost } from './devHost.ts';
import { App } from './view/App.tsx';

render(<App host={devHost} />, document.getElementById('app')!);
