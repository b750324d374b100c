/** Diagnostics as text: `file:line:column`, severity, code, sentence, repair. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { count } from './format.ts';
import { paint } from './paint.ts';

const COLOURS = { error: paint.red, warning: paint.yellow, hint: paint.cyan };

/** One block per finding, in order. */
export function formatDiagnostics(diagnostics: Diagnostic[]): string {
  return diagnostics.map(formatDiagnostic).join('\n');
}

function formatDiagnostic({ file, range, severity, code, message, related, fix }: Diagnostic): string {
  const lines = [
    `${paint.bold(place(file, range.start))} ${COLOURS[severity](severity)}[${code}] ${message}`,
    ...related.map((other) => `    ${paint.dim(place(other.file, other.range.start))} ${other.message}`),
  ];
  if (fix) lines.push(`  ${paint.cyan('→')} ${fix}`);
  return lines.join('\n');
}

function place(file: string, start: { line: number; character: number }): string {
  return `${file}:${start.line + 1}:${start.character + 1}`;
}

export interface Tally {
  errors: number;
  warnings: number;
  hints: number;
}

export function tally(diagnostics: Diagnostic[]): Tally {
  const of = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((d) => d.severity === severity).length;
  return { errors: of('error'), warnings: of('warning'), hints: of('hint') };
}

/** `2 errors, 1 warning`. */
export function formatTally({ errors, warnings, hints }: Tally): string {
  const said = [count(errors, 'error'), count(warnings, 'warning')];
  if (hints > 0) said.push(count(hints, 'hint'));
  return said.join(', ');
}
