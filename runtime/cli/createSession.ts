/** Creates the session of one run from its flags and the process. */
import { confirm } from './ask.ts';
import { drawProgress } from './progress/drawProgress.ts';
import type { GlobalFlags, Session } from './session.ts';
import { printable, wrapText } from './textWidth.ts';

export function createSession(flags: GlobalFlags, signal: AbortSignal): Session {
  const silent = flags.quiet;
  const progress = drawProgress({
    stream: process.stderr,
    verbose: flags.verbose,
    live: process.stderr.isTTY === true && process.env['TERM'] !== 'dumb' && !process.env['CI'],
  });
  const interactive =
    process.stdin.isTTY === true && process.stderr.isTTY === true && !flags.json && !process.env['CI'];
  return {
    flags,
    signal,
    cwd: process.cwd(),
    env: process.env,
    editorKeys: {},
    interactive,
    confirm: interactive ? (question) => confirm(question, signal) : null,
    review: null,
    report: silent ? () => {} : progress.report,
    settle: progress.settle,
    result(document, text) {
      progress.settle();
      process.stdout.write(
        flags.json ? `${JSON.stringify(document)}\n` : `${printable(text.trimEnd(), process.stdout)}\n`,
      );
    },
    line(document, text) {
      progress.settle();
      process.stdout.write(
        flags.json ? `${JSON.stringify(document)}\n` : `${printable(text, process.stdout)}\n`,
      );
    },
    note(text) {
      if (silent) return;
      progress.settle();
      process.stderr.write(`${wrapText(printable(text, process.stderr), process.stderr)}\n`);
    },
  };
}
