/** Arguments → one command's handler → exit code. Only this module calls printError. */
import { ToolkitError } from '../contract/errors.ts';
import { createSession } from './createSession.ts';
import { isDetached } from './isDetached.ts';
import { printError } from './printError.ts';
import { createProgram } from './program.ts';

/** Runs the command in `args` and returns its exit code. Never throws. */
export async function run(args: string[]): Promise<number> {
  const interrupt = new AbortController();
  let interrupts = 0;
  const onSignal = (): void => {
    interrupts += 1;
    // The first interrupt lets the command clean up; the second kills it at once.
    if (interrupts > 1) process.kill(process.pid, 'SIGKILL');
    interrupt.abort(new ToolkitError('INTERRUPTED', 'Interrupted.'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  process.on('SIGHUP', () => {
    if (!isDetached()) onSignal();
  });
  let unread = false;
  let unwritten: ToolkitError | null = null;
  // Failing to write messages to stderr must not end the work.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE (`| head`) and EIO (the terminal was closed): the reader is gone. Stop, but without an error.
    unread = error.code === 'EPIPE' || error.code === 'EIO';
    if (!unread) unwritten = resultLost(error);
    interrupt.abort(unwritten ?? new ToolkitError('INTERRUPTED', 'Standard output was closed.'));
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
  const message = `The result could not be written to standard output (${error.code}).`;
  return error.code === 'ENOSPC' || error.code === 'EDQUOT'
    ? new ToolkitError('DISK_FULL', message, { hint: 'Free some space and try again.', cause: error })
    : new ToolkitError('NOT_WRITABLE', message, {
        hint: 'Redirect the output to another file.',
        cause: error,
      });
}

/** The work's own INTERRUPTED error, if it threw one; any other error is a consequence of the interrupt. */
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

/** Waits until all output is written: exiting earlier truncates a pipe. */
async function flush(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.destroyed || !stream.writable) continue;
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}
