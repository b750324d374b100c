/** Arguments → one command's handler → exit code. The only place that prints errors. */
import { ToolkitError } from '../contract/errors.ts';
import { createSession } from './createSession.ts';
import { isDetached } from './isDetached.ts';
import { printError } from './printError.ts';
import { createProgram } from './program.ts';

/** Runs the command that `args` names; answers the exit code and never throws. */
export async function run(args: string[]): Promise<number> {
  const interrupt = new AbortController();
  let interrupts = 0;
  const onSignal = (): void => {
    interrupts += 1;
    // The first asks to clean up; the second is from somebody who will not wait.
    if (interrupts > 1) process.kill(process.pid, 'SIGKILL');
    interrupt.abort(new ToolkitError('INTERRUPTED', 'Interrupted.'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  process.on('SIGHUP', () => {
    if (!isDetached()) onSignal();
  });
  let unread = false;
  let unwritten: ToolkitError | null = null;
  // A log of messages that cannot be written must not end the work that they tell of.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader of results that has gone (`| head`; EIO: the terminal was closed) is no error, and nobody is left to
    // go on for.
    unread = error.code === 'EPIPE' || error.code === 'EIO';
    if (!unread) unwritten = resultLost(error);
    interrupt.abort(unwritten ?? new ToolkitError('INTERRUPTED', 'The reader of the results disconnected.'));
  });

  let exitCode: number;
  const options = { json: args.includes('--json'), verbose: args.includes('--verbose') };
  try {
    exitCode = await parseAndCall(args, interrupt.signal);
  } catch (error) {
    if (unread) return 0;
    exitCode = unwritten
      ? 1
      : printError(interrupt.signal.aborted ? interruption(error, interrupt.signal) : error, options);
  }
  await flush();
  return unwritten ? printError(unwritten, { ...options, json: false }) : exitCode;
}

function resultLost(error: NodeJS.ErrnoException): ToolkitError {
  const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return new ToolkitError(
    full ? 'DISK_FULL' : 'NOT_WRITABLE',
    `The result could not be written to standard output (${error.code}).`,
    { hint: full ? 'Free some space and try again.' : 'Send the output somewhere else.', cause: error },
  );
}

/** What the interrupted work says of itself; whatever else it threw is a consequence. */
function interruption(error: unknown, { reason }: AbortSignal): unknown {
  return error instanceof ToolkitError && error.code === 'INTERRUPTED' ? error : reason;
}

async function parseAndCall(args: string[], signal: AbortSignal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(async (spec, positional, own, global) => {
    const session = createSession(global, signal);
    const { handle } = await spec.load!();
    try {
      exitCode = (await handle({ args: positional, flags: own, session })) ?? 0;
    } finally {
      session.settle();
    }
  });
  await program(args);
  return exitCode;
}

/** Waits until what was printed has left: an exit cuts off a pipe's rest. */
async function flush(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.destroyed || !stream.writable) continue;
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}
