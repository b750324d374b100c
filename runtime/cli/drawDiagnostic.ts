/** Draws a diagnostic for a terminal: its source lines with marks, then related locations, then the fix. */
import type { Diagnostic, Range } from '../contract/diagnostic.ts';
import { drawUnsafe } from './cells.ts';
import { excerpt } from './excerpt.ts';
import { paint } from './paint.ts';
import { wrapWithIndent } from './textWidth.ts';

export const SEVERITY_COLOURS = { error: paint.red, warning: paint.yellow, hint: paint.cyan };
const INDENT = '  ';
const CONTINUED = '    ';

interface Surroundings {
  /** Width of the terminal. */
  columns: number;
  /** The lines of a file; empty if it cannot be read. */
  linesOf: (file: string) => readonly string[];
}

/** Draws one diagnostic. No control characters from the project reach the terminal. */
export function drawDiagnostic(
  { file, range, severity, code, message, related, fix }: Diagnostic,
  { columns, linesOf }: Surroundings,
): string {
  const digits = String(Math.max(range.end.line, ...related.map((other) => other.range.end.line)) + 1).length;
  const draw = (from: string, marked: Range, mark: string, paintMark: (marks: string) => string) =>
    excerpt(linesOf(from), marked, { columns, digits, mark, paintMark, paintGutter: paint.dim });
  const heading = `${paint.bold(drawUnsafe(locationOf(file, range)))} ${SEVERITY_COLOURS[severity](severity)}[${code}] ${drawUnsafe(message)}`;
  const lines = [
    isReadByEditor() ? heading : wrapWithIndent(heading, columns, '', CONTINUED),
    ...draw(file, range, '^', SEVERITY_COLOURS[severity]),
  ];
  for (const other of related) {
    const location = paint.dim(drawUnsafe(locationOf(other.file, other.range)));
    lines.push(
      wrapWithIndent(`${location} ${drawUnsafe(other.message)}`, columns, INDENT, CONTINUED),
      ...draw(other.file, other.range, '-', paint.cyan),
    );
  }
  if (fix) lines.push(wrapWithIndent(`${paint.cyan('→')} ${drawUnsafe(fix)}`, columns, INDENT, CONTINUED));
  return lines.join('\n');
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function locationOf(file: string, { start }: Range): string {
  return `${file}:${start.line + 1}:${start.character + 1}`;
}

/** VS Code's problem matchers read what a task prints to its terminal, and expect each message on one line. */
function isReadByEditor(): boolean {
  return process.env['TERM_PROGRAM'] === 'vscode';
}
