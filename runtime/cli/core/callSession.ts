/** The session of an editor's call: output becomes messages, and questions wait for the editor's answer. */
import { homedir } from 'node:os';
import type { CoreCall, CoreMessage, CoreQuestion } from '../../contract/coreMessages.ts';
import { ToolkitError } from '../../contract/errors.ts';
import type { Session } from '../session.ts';

export interface CallSession extends Session {
  /** The command's result; undefined until there is one. */
  readonly document: unknown;
  /** Answers the pending question. */
  answer(yes: boolean): void;
  cancel(): void;
}

export function callSession(
  { call, project, app, environment, variables, keys }: CoreCall,
  env: NodeJS.ProcessEnv,
  send: (message: CoreMessage) => void,
): CallSession {
  const cancelled = new AbortController();
  let document: unknown;
  let answer: (yes: boolean) => void = () => {};
  const cancel = (): void => {
    cancelled.abort(new ToolkitError('INTERRUPTED', 'Cancelled.'));
    answer(false);
  };
  const ask = async (question: CoreQuestion): Promise<boolean> => {
    cancelled.signal.throwIfAborted();
    const answered = new Promise<boolean>((resolve) => (answer = resolve));
    send({ call, question });
    if (await answered) return true;
    cancelled.abort(new ToolkitError('INTERRUPTED', 'Cancelled; nothing was changed.'));
    throw cancelled.signal.reason;
  };
  return {
    flags: { project, app, env: environment, json: true, quiet: false, verbose: false },
    // Not the process's working directory: it may have been removed, and then using it fails.
    cwd: project ?? homedir(),
    env: { ...env, ...variables },
    editorKeys: keys,
    signal: cancelled.signal,
    interactive: false,
    confirm: (message) => ask({ kind: 'consent', message }),
    review: (review) => ask({ kind: 'plan', review }),
    report: (progress) => send({ call, progress }),
    settle() {},
    result(value) {
      document = value;
    },
    line: (line) => send({ call, line }),
    note: (note) => send({ call, note }),
    get document() {
      return document;
    },
    answer: (yes) => answer(yes),
    cancel,
  };
}
