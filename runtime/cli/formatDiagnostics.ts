/** Diagnostics as text: `file:line:column`, severity, code, message, fix; on a terminal also their source lines. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { masked } from '../source/environment/redact.ts';
import { drawUnsafe } from './cells.ts';
import { drawDiagnostic, locationOf, SEVERITY_COLOURS } from './drawDiagnostic.ts';
import { count } from './format.ts';
import { paint } from './paint.ts';
import { columnsOf } from './textWidth.ts';

/**
 * One block per diagnostic, in order. A pipe gets lines that programs can parse; a terminal also gets the source.
 *
 * @param textOf - The text of a file; null if it cannot be read.
 */
export function formatDiagnostics(
  diagnostics: Diagnostic[],
  textOf: (file: string) => string | null,
  stream: NodeJS.WriteStream,
): string {
  if (!stream.isTTY) return diagnostics.map(formatPlain).join('\n');
  const read = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = read.get(file);
    if (known) return known;
    const text = textOf(file);
    const lines = text === null ? [] : masked(text).split('\n');
    read.set(file, lines);
    return lines;
  };
  const surroundings = { columns: columnsOf(stream), linesOf };
  return diagnostics.map((diagnostic) => drawDiagnostic(diagnostic, surroundings)).join('\n\n');
}

/** Names of files and endpoints can have line breaks, which would end a line that programs parse. */
function formatPlain({ file, range, severity, code, message, related, fix }: Diagnostic): string {
  const at = (place: Pick<Diagnostic, 'file' | 'range'>) => drawUnsafe(locationOf(place.file, place.range));
  const lines = [
    `${paint.bold(at({ file, range }))} ${SEVERITY_COLOURS[severity](severity)}[${code}] ${drawUnsafe(message)}`,
    ...related.map((other) => `    ${paint.dim(at(other))} ${drawUnsafe(other.message)}`),
  ];
  if (fix) lines.push(`  ${paint.cyan('→')} ${drawUnsafe(fix)}`);
  return lines.join('\n');
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
  const counts = [count(errors, 'error'), count(warnings, 'warning')];
  if (hints > 0) counts.push(count(hints, 'hint'));
  return counts.join(', ');
}
