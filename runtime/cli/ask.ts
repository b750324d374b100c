/** Questions on a terminal, asked on stderr; Ctrl+C and a closed input are an interrupt. */
import { createInterface } from 'node:readline';
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

function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
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
