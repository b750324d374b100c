/** `toolkit lsp`: the language server on standard input and output, for any editor. */
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { distFile } from '../../source/assets.ts';
import type { Handler } from '../session.ts';

/** The server's own bundle: no other room is imported for it, and it ends the process when the editor says so. */
export const handle: Handler = async ({ session }) => {
  if (process.stdin.isTTY) {
    session.note(
      'This is for an editor, which starts it by itself: docs/editors.md tells how. Ctrl+C ends it.',
    );
  }
  await import(pathToFileURL(distFile('server.js')).href);
  await once(session.signal, 'abort');
  throw session.signal.reason;
};
