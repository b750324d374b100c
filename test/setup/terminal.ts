/** Runs the bundled command on a real pseudo-terminal, created by script(1). */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { cleanEnvironment } from './toolkit.ts';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');

export interface OnTerminal {
  code: number | null;
  /** Everything that was written to it, including control sequences. */
  screen: string;
}

/**
 * Runs a command and types each response once its prompt is on the screen.
 *
 * @param size Columns and rows.
 */
export function onTerminal(
  cwd: string,
  env: Record<string, string>,
  args: string[],
  answers: [RegExp, string][] = [],
  size: [number, number] = [80, 24],
): Promise<OnTerminal> {
  const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
  const line = `stty cols ${size[0]} rows ${size[1]}; exec ${command}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...cleanEnvironment(), TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  const waiting = [...answers];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    if (waiting[0]?.[0].test(screen)) child.stdin.write(waiting.shift()![1]);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, screen })));
}
