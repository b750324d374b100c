/** A pyproject.toml that cannot be understood → a diagnostic at its line. */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { ToolkitError } from '../../runtime/contract/errors.ts';
import { DIAGNOSTIC_SOURCE } from './toProtocol.ts';

export function configDiagnostic({
  code,
  message,
  hint,
  cause,
}: ToolkitError): Diagnostic & { message: string } {
  const line = placeOf(cause);
  return {
    code,
    severity: DiagnosticSeverity.Error,
    source: DIAGNOSTIC_SOURCE,
    message: [message, hint].filter((part) => part).join('\n'),
    range: { start: { line, character: 0 }, end: { line: line + 1, character: 0 } },
  };
}

/** Parsers of TOML count lines from 1; other faults are told at the file's top. */
function placeOf(cause: unknown): number {
  const has =
    cause !== null && typeof cause === 'object' && 'line' in cause && typeof cause.line === 'number';
  return has ? Math.max(0, (cause.line as number) - 1) : 0;
}
