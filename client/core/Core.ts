/**
 * The toolkit core as the extension calls it: a process of its own, started by the first call. Nothing long runs in the
 * extension host.
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
  /** Null or absent for the project's own. */
  app?: string | null;
  environment?: string | null;
  args?: string[];
  flags?: CoreCall['flags'];
  /** Environment variables over those that every call is given. */
  variables?: CoreCall['variables'];
  signal?: AbortSignal;
  onProgress?: ReportProgress;
  /** Sentences beside the result. */
  onNote?: (note: string) => void;
  onLine?: (line: LineOf<Name>) => void;
  /**
   * Answers what the call asks; a no ends it. Without it every answer is no.
   *
   * @param ended - Aborted once the call has ended or is cancelled: nobody waits for the answer any more.
   */
  onQuestion?: (question: CoreQuestion, ended: AbortSignal) => Promise<boolean>;
}

/** What every call is given beside its own options. */
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
   * @param surroundings - Asked before each call.
   * @param log - Where the process's own messages go.
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
   * @throws ToolkitError for everything that a user can change, INTERRUPTED after an abort.
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

  /** Cancels what runs, and ends the process once that has cleaned up. */
  async dispose(): Promise<void> {
    const process = this.#process;
    if (!process?.connected) return;
    process.disconnect();
    await once(process, 'exit');
  }

  #start(): ChildProcess {
    const child = fork(this.#script, ['core'], {
      // The editor's own runtime is Node when this is set.
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
      hint: 'Try again; the output channel "Serverless Endpoint Toolkit" has its last words.',
    });
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

/** A message that no longer arrives has an exit to explain it. */
function send(process: ChildProcess, request: CoreRequest): void {
  if (process.connected) process.send(request, () => {});
}
