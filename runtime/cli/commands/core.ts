/** `toolkit core`: the commands for an editor, called over the IPC channel that it has started this process with. */
import { once } from 'node:events';
import { ToolkitError } from '../../contract/errors.ts';
import { serveCalls } from '../core/serveCalls.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  if (!process.send) {
    throw new ToolkitError('USAGE', '`toolkit core` is started by an editor, with an IPC channel.', {
      hint: 'Run `toolkit --help` for the commands of a terminal.',
    });
  }
  const calls = serveCalls((message) => process.send!(message), session.env);
  process.on('message', (request) => calls.take(request));
  const gone = once(process, 'disconnect');
  const interrupted = session.signal.aborted ? Promise.resolve() : once(session.signal, 'abort');
  await Promise.race([gone, interrupted]);
  await calls.end();
};
