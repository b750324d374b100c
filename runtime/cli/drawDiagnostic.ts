/** A diagnostic as people read it on a terminal: its source lines with marks, related places below, the repair last. */
import type { Diagnostic, Range } from '../contract/diagnostic.ts';
import { drawUnsafe } from './cells.ts';
import { excerpt } from './excerpt.ts';
import { paint } from './paint.ts';
import { wrapWithIndent } from './textWidth.ts';

export const SEVERITY_COLOURS = { error: paint.red, warning: paint.yellow, hint: paint.cyan };
const INDENT = '  ';
const CONTINUED = '    ';

interface Surroundings {
  /** Of the terminal. */
  columns: number;
  /** The lines of a file; none when it cannot be read. */
  linesOf: (file: string) => readonly string[];
}

/** Draws one diagnostic. Nothing from the project reaches the terminal as a control character. */
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

/** `file:line:column`, as editors and terminals make links of it. */
export function locationOf(file: string, { start }: Range): string {
  return `${file}:${start.line + 1}:${start.character + 1}`;
}

/** Problem matchers of VS Code read what a task prints to its terminal, and a message is one line for them. */
function isReadByEditor(): boolean {
  return process.env['TERM_PROGRAM'] === 'vscode';
}
