/** All tests inside the extension host, in one window: its folder becomes a project in the last test of tasks. */
import './tasks.ts';
import './languageServer.ts';
import './terminal.ts';

export { run } from './suite.ts';
