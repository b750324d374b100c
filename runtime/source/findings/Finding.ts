/**
 * The definition of a finding: everything about one code, in a file named after the code. Its doc comment
 * becomes its section of docs/diagnostics.md: a description, an example that triggers the finding, and the
 * same example fixed.
 */
import type { Diagnostic, DiagnosticCode, Range, Severity } from '../../contract/diagnostic.ts';
import type { WithheldModules } from '../discovery/WithheldModules.ts';
import type { Dependencies } from '../environment/Dependencies.ts';
import type { Fix, Fixer } from '../fixes/Fix.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { FileIndex } from './FileIndex.ts';

/** The chapters of the page. */
export const CHAPTERS = [
  'Names',
  'Arguments of Endpoint',
  'Routes',
  'Imports and packages',
  'Functions and classes',
  'Files',
] as const;

/** What a finding can use of the project in addition to the Python files. */
export interface FindingContext {
  /** How many workers the account can have. */
  quota: number;
  /** The Python version of workers, such as `3.11`; null when the project does not set one. */
  python: string | null;
  /** What the project requires, and which distributions its imports come from; read on first use. */
  dependencies: Dependencies;
  /** The project's modules that do not ship. */
  withheld: WithheldModules;
}

/** What is reported at one range; the other fields are the same for all findings of a code. */
export type FoundText = Pick<Diagnostic, 'file' | 'range' | 'message'> &
  Partial<Pick<Diagnostic, 'related' | 'fix'>>;

export interface Finding {
  code: DiagnosticCode;
  severity: Severity;
  chapter: (typeof CHAPTERS)[number];
  /**
   * Looks for the finding in one file. Results in other files are dropped, because the search in those files
   * finds them too.
   */
  find(index: FileIndex, context: FindingContext): Iterable<FoundText>;
  /** Fixes of one finding, the best first. */
  fixes?: readonly Fixer[];
  /** Fixes many findings of a file with one fix, when separate fixes would conflict. */
  fixTogether?: (project: ProjectView, file: string, places: readonly Range[]) => Fix[];
}

/** The diagnostic of one finding. */
export function diagnosticOf({ code, severity }: Finding, found: FoundText): Diagnostic {
  return { related: [], fix: null, ...found, code, severity };
}
