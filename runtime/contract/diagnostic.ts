/** Diagnostics: the closed table of codes with their severities, and the shape that every surface shows. */

/** Code → severity; errors stop `build` and `deploy` before any work. */
export const DIAGNOSTIC_SEVERITY = {
  'duplicate-queue-name': 'error',
  'name-in-both-forms': 'error',
  'top-level-import': 'warning',
  'undeclared-dependency': 'warning',
  'top-level-peer-import': 'warning',
  'outer-name': 'warning',
  'invalid-cpu': 'error',
  'invalid-workers': 'error',
  'invalid-argument': 'error',
  'unknown-keyword': 'error',
  'gpu-and-cpu': 'error',
  'syntax-error': 'error',
  'unreadable-file': 'error',
  'unknown-gpu': 'error',
  'unknown-cpu': 'warning',
  'imports-ignored-file': 'error',
  'reserved-name': 'error',
  'invalid-name': 'error',
  'missing-name': 'error',
  'duplicate-route': 'error',
  'invalid-path': 'error',
  'reserved-path': 'error',
  'route-parameter-mismatch': 'error',
  'worker-quota': 'error',
  'provided-by-image': 'hint',
  'missing-description': 'hint',
  'dynamic-value': 'hint',
  'many-functions': 'error',
  'no-routes': 'warning',
  'not-an-endpoint': 'warning',
  'unsupported-form': 'error',
  'endpoint-in-function': 'warning',
  'endpoint-as-value': 'warning',
  'hides-standard-module': 'warning',
} as const satisfies Record<string, 'error' | 'warning' | 'hint'>;

/** The page that explains each code, under a heading of its name: a file in docs/, and of the same name in dist/. */
export const DIAGNOSTICS_PAGE = 'diagnostics.md';

export type DiagnosticCode = keyof typeof DIAGNOSTIC_SEVERITY;
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

/** Another place that belongs to a finding. */
export interface RelatedLocation {
  file: string;
  range: Range;
  message: string;
}

/** One finding; `file` is relative to the project's root with `/`. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: Severity;
  message: string;
  file: string;
  range: Range;
  related: RelatedLocation[];
  /** One sentence that names the repair, or null. */
  fix: string | null;
}
