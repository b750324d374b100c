/**
 * Calls the toolkit core, which runs in its own process, started by the first call. No long work runs in the extension
 * host.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type {
  CoreCall,
  CoreCommand,
  CoreCommands,
  CoreMessage,
  CoreQuestion,
  CoreRequest,
} from '../../runtime/contract/coreMessages.ts';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import type { ReportProgress } from '../../runtime/contract/progress.ts';

type LineOf<Name extends CoreCommand> = CoreCommands[Name] extends { line: infer Line } ? Line : never;

export interface CallOptions<Name extends CoreCommand> {
  /** The project's root; null for a command without a project. */
  project: string | null;
  /** Null or absent for the project's default. */
  app?: string | null;
  environment?: string | null;
  args?: string[];
  flags?: CoreCall['flags'];
  /** Environment variables that override those common to all calls. */
  variables?: CoreCall['variables'];
  signal?: AbortSignal;
  onProgress?: ReportProgress;
  /** Called with messages that are not part of the result. */
  onNote?: (note: string) => void;
  onLine?: (line: LineOf<Name>) => void;
  /**
   * Answers a question of the call; a no ends the call. Without this callback, every answer is no.
   *
   * @param ended - Aborted once the call has ended or is cancelled, so that the answer is no longer needed.
   */
  onQuestion?: (question: CoreQuestion, ended: AbortSignal) => Promise<boolean>;
}

/** Sent with every call, in addition to its own options. */
export type Surroundings = Pick<CoreCall, 'variables' | 'keys'>;

interface Pending {
  options: CallOptions<CoreCommand>;
  ended: AbortSignal;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Core {
  readonly #script: string;
  readonly #surroundings: (project: string | null) => Promise<Surroundings>;
  readonly #log: (text: string) => void;
  readonly #pending = new Map<number, Pending>();
  #process: ChildProcess | null = null;
  #calls = 0;

  /**
   * @param script - Path of the bundled `cli.js`.
   * @param surroundings - Called before each call.
   * @param log - Receives the process's own messages.
   */
  constructor(
    script: string,
    surroundings: (project: string | null) => Promise<Surroundings>,
    log: (text: string) => void,
  ) {
    this.#script = script;
    this.#surroundings = surroundings;
    this.#log = log;
  }

  /**
   * Runs a command.
   *
   * @throws ToolkitError for everything that a user can fix, INTERRUPTED after an abort.
   */
  async call<Name extends CoreCommand>(
    command: Name,
    options: CallOptions<Name>,
  ): Promise<CoreCommands[Name]['result']> {
    const { project, app = null, environment = null, args = [], flags = {}, variables, signal } = options;
    const given = await this.#surroundings(project);
    const surroundings = { ...given, variables: { ...given.variables, ...variables } };
    if (signal?.aborted) throw new ToolkitError('INTERRUPTED', 'Cancelled.');
    const call = ++this.#calls;
    const process = (this.#process ??= this.#start());
    const ended = new AbortController();
    const cancel = () => {
      ended.abort();
      send(process, { cancel: call });
    };
    try {
      return await new Promise<CoreCommands[Name]['result']>((resolve, reject) => {
        this.#pending.set(call, {
          options: options as Pending['options'],
          ended: ended.signal,
          resolve,
          reject,
        });
        signal?.addEventListener('abort', cancel, { once: true });
        send(process, { call, command, project, app, environment, args, flags, ...surroundings });
      });
    } finally {
      ended.abort();
      this.#pending.delete(call);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels running calls, and ends the process once they have cleaned up. */
  async dispose(): Promise<void> {
    const process = this.#process;
    if (!process?.connected) return;
    process.disconnect();
    await once(process, 'exit');
  }

  #start(): ChildProcess {
    const child = fork(this.#script, ['core'], {
      // With this variable, the editor's own runtime runs as Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#log(text.trimEnd()));
    child.on('message', (message) => void this.#take(child, message as CoreMessage));
    child.once('error', (error) => this.#lose(child, error.message));
    child.once('exit', (code, signal) => this.#lose(child, signal ? `by ${signal}` : `with code ${code}`));
    return child;
  }

  async #take(process: ChildProcess, message: CoreMessage): Promise<void> {
    const pending = this.#pending.get(message.call);
    if (!pending) return;
    const { options, ended, resolve, reject } = pending;
    if ('progress' in message) options.onProgress?.(message.progress);
    else if ('note' in message) options.onNote?.(message.note);
    else if ('line' in message) options.onLine?.(message.line as never);
    else if ('question' in message) {
      let yes = false;
      try {
        yes = (await options.onQuestion?.(message.question, ended)) ?? false;
      } catch (error) {
        reject(error as Error);
      }
      send(process, { answer: message.call, yes });
    } else if ('error' in message) {
      const { code, message: text, hint } = message.error;
      reject(new ToolkitError(code, text, { hint }));
    } else resolve(message.result);
  }

  /** The next call starts another process. */
  #lose(process: ChildProcess, how: string): void {
    if (this.#process === process) this.#process = null;
    const error = new ToolkitError('INTERNAL', `The toolkit's core process ended ${how}.`, {
      hint: 'Try again. Its last messages are in the output channel "Serverless Endpoint Toolkit".',
    });
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

/** Ignores send errors: the process has exited then, and its exit rejects the call. */
function send(process: ChildProcess, request: CoreRequest): void {
  if (process.connected) process.send(request, () => {});
}
