/** Diagnostics in the form that every surface shows. The codes come from the findings of `source`. */
import type { DIAGNOSTIC_SEVERITY } from './diagnosticSeverity.ts';

/**
 * The page that explains each code under a heading with its name. The file is in docs/, with a copy in dist/.
 */
export const DIAGNOSTICS_PAGE = 'diagnostics.md';

export type DiagnosticCode = keyof typeof DIAGNOSTIC_SEVERITY;
/** Errors stop `build` and `deploy` before they start any work. */
export type Severity = (typeof DIAGNOSTIC_SEVERITY)[DiagnosticCode];

/** 0-based line and UTF-16 column, as in the Language Server Protocol. */
export interface Position {
  line: number;
  character: number;
}

/** Half-open range: `end` is the first position after it. */
export interface Range {
  start: Position;
  end: Position;
}

/** Another location that belongs to a finding. */
export interface RelatedLocation {
  file: string;
  range: Range;
  message: string;
}

/** One finding. `file` is relative to the project's root and uses `/`. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: Severity;
  message: string;
  file: string;
  range: Range;
  related: RelatedLocation[];
  /** One sentence that describes the fix, or null. */
  fix: string | null;
}
