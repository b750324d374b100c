/** Diagnostics as annotations of a GitHub workflow: one workflow command per line. */
import type { Diagnostic } from '../contract/diagnostic.ts';

const COMMANDS = { error: 'error', warning: 'warning', hint: 'notice' } as const;

/**
 * One workflow command per finding.
 *
 * @param prefix Path from the repository's root to the project's, empty or ending in `/`.
 */
export function formatGithub(diagnostics: Diagnostic[], prefix: string): string {
  return diagnostics.map((diagnostic) => annotation(diagnostic, prefix)).join('\n');
}

function annotation({ severity, code, message, file, range, fix }: Diagnostic, prefix: string): string {
  const { start, end } = range;
  const place: Record<string, string | number> = {
    file: prefix + file,
    line: start.line + 1,
    endLine: end.line + 1,
    // GitHub rejects columns for an annotation that spans lines.
    ...(start.line === end.line ? { col: start.character + 1, endColumn: end.character + 1 } : {}),
    title: `toolkit: ${code}`,
  };
  const properties = Object.entries(place).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${COMMANDS[severity]} ${properties.join(',')}::${escapeData(fix ? `${message} ${fix}` : message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
