/** Prints errors: one sentence and the hint. Only a bug in the toolkit prints a stack. */
import { MOST_LISTED, ProjectErrors } from '../build/refuseErrors.ts';
import { ToolkitError } from '../contract/errors.ts';
import { count } from './format.ts';
import { formatDiagnostics } from './formatDiagnostics.ts';
import { paint } from './paint.ts';
import { printable, wrapText } from './textWidth.ts';
import { VERSION } from './version.ts';

/** Prints any thrown value and returns the exit code. */
export function printError(error: unknown, options: { json: boolean; verbose: boolean }): number {
  const known = asKnownError(error);
  if (known) {
    if (options.json) process.stdout.write(`${JSON.stringify({ error: known.toBody() })}\n`);
    if (known instanceof ProjectErrors && !options.json && process.stderr.isTTY) {
      drawErrors(known);
    } else if (!options.json || known.code === 'INTERRUPTED') {
      const label = known.code === 'INTERRUPTED' ? '' : `${paint.red('error')}: `;
      printLine(`${label}${known.message}`);
      if (known.hint) printLine(`  ${paint.cyan('→')} ${known.hint}`);
      if (options.verbose && known.cause) process.stderr.write(`  cause: ${String(known.cause)}\n`);
    }
    return known.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const message = 'This is a bug in the toolkit, not in your project.';
  const hint = `Please report it with the lines above and "toolkit ${VERSION}, Node ${process.versions.node}, ${process.platform}".`;
  process.stderr.write(`${stack}\n${paint.red('error')}: ${message}\n  ${paint.cyan('→')} ${hint}\n`);
  if (options.json)
    process.stdout.write(`${JSON.stringify({ error: { code: 'INTERNAL', message, hint } })}\n`);
  return 70;
}

/** The error as one that the user can fix; null if it is a bug in the toolkit. */
export function asKnownError(error: unknown): ToolkitError | null {
  return error instanceof ToolkitError ? error : systemError(error);
}

/** Draws the mistakes as `check` does, all as errors: a build also fails on values that cannot be resolved. */
function drawErrors({ diagnostics, textOf }: ProjectErrors): void {
  const errors = diagnostics.slice(0, MOST_LISTED).map((one) => ({ ...one, severity: 'error' as const }));
  process.stderr.write(`${formatDiagnostics(errors, textOf, process.stderr)}\n\n`);
  printLine(`${paint.red('error')}: The project has ${count(diagnostics.length, 'error')}.`);
  if (diagnostics.length > errors.length) printLine(`  ${paint.cyan('→')} Run "toolkit check".`);
}

function printLine(line: string): void {
  process.stderr.write(`${wrapText(printable(line, process.stderr), process.stderr)}\n`);
}

/** Errors of the operating system that any file operation can raise, as sentences. */
function systemError(error: unknown): ToolkitError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ToolkitError('DISK_FULL', `${path ?? 'A file'} cannot be written: the disk is full.`, {
      hint: 'Free some space and try again.',
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new ToolkitError('NOT_WRITABLE', `Permission denied: ${path ?? 'unknown file'} (${code}).`, {
      hint: 'Check the permissions of that path, or use a folder that you can write to.',
      cause: error,
    });
  }
  return null;
}
