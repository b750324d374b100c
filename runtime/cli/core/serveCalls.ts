/** Runs an editor's calls as commands, several at a time, and sends their results and errors as messages. */
import type { CoreCall, CoreMessage, CoreRequest } from '../../contract/coreMessages.ts';
import { type ErrorBody, ToolkitError } from '../../contract/errors.ts';
import { asKnownError } from '../printError.ts';
import { type CallSession, callSession } from './callSession.ts';
import { CORE_COMMANDS } from './commands.ts';

interface Running {
  session: CallSession;
  ended: Promise<void>;
}

export interface Calls {
  /** Handles one message from the editor. */
  take(request: unknown): void;
  /** Cancels all running calls and waits until they have cleaned up. */
  end(): Promise<void>;
}

/** @param environment - Environment variables of this process; each call adds its own. */
export function serveCalls(send: (message: CoreMessage) => void, environment: NodeJS.ProcessEnv): Calls {
  const running = new Map<number, Running>();

  const start = (call: CoreCall): void => {
    const session = callSession(call, environment, send);
    const ended = runCommand(call, session)
      .then(
        (result) => send({ call: call.call, result }),
        (error: unknown) => send({ call: call.call, error: errorBody(error, session) }),
      )
      .finally(() => running.delete(call.call));
    running.set(call.call, { session, ended });
  };

  return {
    take(request) {
      const message = request as CoreRequest;
      if ('cancel' in message) running.get(message.cancel)?.session.cancel();
      else if ('answer' in message) running.get(message.answer)?.session.answer(message.yes);
      else start(message);
    },
    async end() {
      for (const { session } of running.values()) session.cancel();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

async function runCommand({ command, args, flags }: CoreCall, session: CallSession): Promise<unknown> {
  const { handle } = await CORE_COMMANDS[command]();
  await handle({ args, flags, session });
  return session.document;
}

/** After a cancellation, any error is a consequence of it, except INTERRUPTED, which says what was left behind. */
function errorBody(error: unknown, { signal }: CallSession): ErrorBody {
  const known = asKnownError(error);
  if (signal.aborted && known?.code !== 'INTERRUPTED') return (signal.reason as ToolkitError).toBody();
  if (known) return known.toBody();
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return new ToolkitError('INTERNAL', stack).toBody();
}
