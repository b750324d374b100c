/** `toolkit lsp`: runs the language server on standard input and output, for any editor. */
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { distFile } from '../../source/assets.ts';
import type { Handler } from '../session.ts';

/** Loads the server's own bundle, which ends the process when the editor asks it to. */
export const handle: Handler = async ({ session }) => {
  if (process.stdin.isTTY) {
    session.note(
      'This command is started by an editor; see docs/editors.md for the setup. Press Ctrl+C to stop it.',
    );
  }
  await import(pathToFileURL(distFile('server.js')).href);
  await once(session.signal, 'abort');
  throw session.signal.reason;
};
