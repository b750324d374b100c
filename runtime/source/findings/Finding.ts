/** What a rule is: a pure function from one file of the project to findings of one code in it. */
import { DIAGNOSTIC_SEVERITY, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostic.ts';
import type { WithheldModules } from '../discovery/WithheldModules.ts';
import type { Dependencies } from '../environment/Dependencies.ts';
import type { FileIndex } from './FileIndex.ts';

/** What rules need to know of the project beside its Python files. */
export interface RuleContext {
  /** Workers of the account. */
  quota: number;
  /** The Python that workers run, such as `3.11`; null when the project does not say. */
  python: string | null;
  /** What the project requires, and which distributions its imports come from; read when first asked. */
  dependencies: Dependencies;
  /** The project's modules that do not ship. */
  withheld: WithheldModules;
}

/** Findings in other files, which a declaration may lead to, are those files' own to find, and are left out. */
export type Rule = (index: FileIndex, context: RuleContext) => readonly Diagnostic[];

/** What a finding may leave away. */
type FindingText = Pick<Diagnostic, 'file' | 'range' | 'message'> & Partial<Diagnostic>;

/** A finding with the severity of its code. */
export function finding(code: DiagnosticCode, text: FindingText): Diagnostic {
  return { related: [], fix: null, ...text, code, severity: DIAGNOSTIC_SEVERITY[code] };
}
