/** Findings → diagnostics of the Language Server Protocol. */
import { pathToFileURL } from 'node:url';
import {
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver';
import { DIAGNOSTICS_PAGE, type Diagnostic, type Severity } from '../../runtime/contract/diagnostic.ts';
import { distFile } from '../../runtime/source/assets.ts';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
};

/** The name that editors show beside a code. */
export const DIAGNOSTIC_SOURCE = 'toolkit';

/** The page that is installed with the server. */
const PAGE = pathToFileURL(distFile(DIAGNOSTICS_PAGE)).href;

/** What the client can show. */
export interface DiagnosticSupport {
  related: boolean;
  tags: boolean;
  /** Links from codes to the page of findings. */
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
