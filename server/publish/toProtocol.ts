/** Findings and faults of pyproject.toml → diagnostics of the Language Server Protocol. */
import { pathToFileURL } from 'node:url';
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver';
import { DIAGNOSTICS_PAGE, type Diagnostic, type Severity } from '../../runtime/contract/diagnostic.ts';
import type { ToolkitError } from '../../runtime/contract/errors.ts';
import { distFile } from '../../runtime/source/assets.ts';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
};

/** The name that editors show next to a code. */
const DIAGNOSTIC_SOURCE = 'toolkit';

/** The page on findings that is installed with the server. */
const PAGE = pathToFileURL(distFile(DIAGNOSTICS_PAGE)).href;

/** What the client can display. */
export interface DiagnosticSupport {
  related: boolean;
  tags: boolean;
  /** Links from codes to the page on findings. */
  pages: boolean;
}

export function toProtocol(
  { code, severity, message, fix, range, related }: Diagnostic,
  uriOf: (file: string) => string,
  support: DiagnosticSupport,
): ProtocolDiagnostic {
  const diagnostic: ProtocolDiagnostic = {
    code,
    severity: SEVERITIES[severity],
    source: DIAGNOSTIC_SOURCE,
    message: fix === null ? message : `${message}\n${fix}`,
    range,
  };
  if (support.related && related.length > 0) {
    diagnostic.relatedInformation = related.map((place) => ({
      location: { uri: uriOf(place.file), range: place.range },
      message: place.message,
    }));
  }
  if (support.pages) diagnostic.codeDescription = { href: `${PAGE}#${code}` };
  if (support.tags && code === 'provided-by-image') diagnostic.tags = [DiagnosticTag.Unnecessary];
  return diagnostic;
}

/** The diagnostic of a pyproject.toml that is not valid, at its line. */
export function configDiagnostic({ code, message, hint, cause }: ToolkitError) {
  const line = lineOf(cause);
  return {
    code,
    severity: DiagnosticSeverity.Error,
    source: DIAGNOSTIC_SOURCE,
    message: [message, hint].filter((part) => part).join('\n'),
    range: { start: { line, character: 0 }, end: { line: line + 1, character: 0 } },
  };
}

/** The zero-based line of a fault; TOML parsers count from 1. Faults without a line are shown at the top of the file. */
function lineOf(cause: unknown): number {
  const has =
    cause !== null && typeof cause === 'object' && 'line' in cause && typeof cause.line === 'number';
  return has ? Math.max(0, (cause.line as number) - 1) : 0;
}
