/** Questions on a terminal, asked on stderr; Ctrl+C and a closed input are an interrupt. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ToolkitError } from '../contract/errors.ts';
import { paint } from './paint.ts';

/** Asks yes or no; the safe answer is the default. */
export async function confirm(message: string): Promise<boolean> {
  for (;;) {
    const answer = (await ask(`${message} ${paint.dim('[y/N]')} `)).trim().toLowerCase();
    if (['y', 'yes'].includes(answer)) return true;
    if (['', 'n', 'no'].includes(answer)) return false;
  }
}

/** Asks for a line of text until `validate` finds nothing wrong with it. */
export async function askText(
  message: string,
  validate: (text: string) => string | undefined,
): Promise<string> {
  for (;;) {
    const answer = (await ask(`${message} `)).trim();
    const problem = validate(answer);
    if (!problem) return answer;
    process.stderr.write(`${paint.yellow(problem)}\n`);
  }
}

/** Asks for a line that stays off the screen. */
export async function askSecret(message: string): Promise<string> {
  process.stderr.write(`${message} `);
  // A terminal interface echoes by its output alone, which is this one.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return ask('', createInterface({ input: process.stdin, output: nowhere, terminal: true })).finally(() =>
    process.stderr.write('\n'),
  );
}

function ask(
  question: string,
  lines = createInterface({ input: process.stdin, output: process.stderr }),
): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      process.stderr.write('\n');
      reject(new ToolkitError('INTERRUPTED', 'Interrupted.'));
    });
    lines.question(question, (answer) => {
      lines.removeAllListeners('close');
      lines.close();
      resolve(answer);
    });
  });
}
