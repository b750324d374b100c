/**
 * What a finding is: all that there is to one code, in one file of its name. Its doc comment is its section of
 * docs/diagnostics.md, with an example that it is in, and the same example repaired.
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

/** What is to be known of the project beside its Python files. */
export interface FindingContext {
  /** Workers of the account. */
  quota: number;
  /** The Python that workers run, such as `3.11`; null when the project does not say. */
  python: string | null;
  /** What the project requires, and which distributions its imports come from; read when first asked. */
  dependencies: Dependencies;
  /** The project's modules that do not ship. */
  withheld: WithheldModules;
}

/** What is said of one place; the rest is the same for all places of a code. */
export type FoundText = Pick<Diagnostic, 'file' | 'range' | 'message'> &
  Partial<Pick<Diagnostic, 'related' | 'fix'>>;

export interface Finding {
  code: DiagnosticCode;
  severity: Severity;
  chapter: (typeof CHAPTERS)[number];
  /** Looks for it in one file; what it finds in other files is left out, as those find it themselves. */
  find(index: FileIndex, context: FindingContext): Iterable<FoundText>;
  /** Repairs of one place, the best first. */
  fixes?: readonly Fixer[];
  /** Repairs many places of a file with one fix, where single ones would get in each other's way. */
  fixTogether?: (project: ProjectView, file: string, places: readonly Range[]) => Fix[];
}

/** A finding in one place. */
export function diagnosticOf({ code, severity }: Finding, found: FoundText): Diagnostic {
  return { related: [], fix: null, ...found, code, severity };
}
