/** `toolkit core`: serves commands to an editor, over the IPC channel that the editor started this process with. */
import { once } from 'node:events';
import { ToolkitError } from '../../contract/errors.ts';
import { serveCalls } from '../core/serveCalls.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  if (!process.send) {
    throw new ToolkitError('USAGE', '"toolkit core" can only be started by an editor, with an IPC channel.', {
      hint: 'Run "toolkit --help" for the commands to use in a terminal.',
    });
  }
  const calls = serveCalls((message) => process.send!(message), session.env);
  process.on('message', (request) => calls.take(request));
  const gone = once(process, 'disconnect');
  const interrupted = session.signal.aborted ? Promise.resolve() : once(session.signal, 'abort');
  await Promise.race([gone, interrupted]);
  await calls.end();
};
