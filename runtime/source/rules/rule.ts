/** What a rule is: a pure function from the project's index to findings of one code. */
import { DIAGNOSTIC_SEVERITY, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { WithheldModules } from '../discovery/WithheldModules.ts';
import type { Dependencies } from '../environment/Dependencies.ts';

/** What rules need to know of the project beside its Python files. */
export interface RuleSettings {
  /** Workers of the account. */
  quota: number;
  /** The Python that workers run, such as `3.11`; null when the project does not say. */
  python: string | null;
  /** What the project requires, and which distributions its imports come from; read when first asked. */
  dependencies: Dependencies;
}

/** What rules need to know beside the index. */
export interface RuleContext extends RuleSettings {
  /** The project's modules that do not ship. */
  withheld: WithheldModules;
  /** Facts of the shipped files that may import one of them. */
  importers: readonly FileFacts[];
}

export type Rule = (index: ProjectIndex, context: RuleContext) => Diagnostic[];

/** What a finding may leave away. */
type FindingText = Pick<Diagnostic, 'file' | 'range' | 'message'> & Partial<Diagnostic>;

/** A finding with the severity of its code. */
export function finding(code: DiagnosticCode, text: FindingText): Diagnostic {
  return { related: [], fix: null, ...text, code, severity: DIAGNOSTIC_SEVERITY[code] };
}
