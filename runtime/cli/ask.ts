/** Prompts on a terminal, written to stderr. Ctrl+C and a closed input count as an interrupt. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { ToolkitError } from '../contract/errors.ts';
import { paint } from './paint.ts';

/** Asks a yes/no question; the default is no. */
export async function confirm(message: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const answer = (await ask(`${message} ${paint.dim('[y/N]')} `, signal)).trim().toLowerCase();
    if (['y', 'yes'].includes(answer)) return true;
    if (['', 'n', 'no'].includes(answer)) return false;
  }
}

/** Asks for a line of text until `validate` returns no problem. */
export async function askText(
  message: string,
  validate: (text: string) => string | undefined,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const answer = (await ask(`${message} `, signal)).trim();
    const problem = validate(answer);
    if (!problem) return answer;
    process.stderr.write(`${paint.yellow(problem)}\n`);
  }
}

/** Asks for a line without echoing it. */
export async function askSecret(message: string, signal: AbortSignal): Promise<string> {
  // A terminal interface echoes what is typed to its output, so give it an output that discards everything.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Prompt only now: creating the interface has switched off the terminal's own echo.
  process.stderr.write(`${message} `);
  const answer = await read(lines, '', signal);
  process.stderr.write('\n');
  return answer;
}

function ask(question: string, signal: AbortSignal): Promise<string> {
  return read(createInterface({ input: process.stdin, output: process.stderr }), question, signal);
}

function read(lines: Interface, question: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const close = (): void => lines.close();
    signal.addEventListener('abort', close, { once: true });
    lines.once('SIGINT', close);
    lines.once('close', () => {
      process.stderr.write('\n');
      reject(new ToolkitError('INTERRUPTED', 'Interrupted.'));
    });
    lines.question(question, (answer) => {
      signal.removeEventListener('abort', close);
      lines.removeAllListeners('close');
      lines.close();
      resolve(answer);
    });
    if (signal.aborted) close();
  });
}
