/** A finding → a change of texts that mends it. Fixes only read the project; an editor applies them. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';

/** A range of a file and what stands there afterwards; those of one file never overlap. */
export interface TextEdit {
  range: Range;
  newText: string;
}

export interface Fix {
  /** What it does, as an editor's menu shows it. */
  title: string;
  /** By file, relative to the root with `/`. */
  edits: ReadonlyMap<string, readonly TextEdit[]>;
  /** Whether it may be applied unasked: nothing but the finding can come to mean something else. */
  safe: boolean;
  /** Whether it is the one that is most probably wanted. */
  preferred: boolean;
}

/** Finds the fixes of one finding; none where it cannot be sure of the place. */
export type Fixer = (project: ProjectView, found: Diagnostic) => Fix[];

/** What a fixer has to say of a fix that changes one file. */
interface FixText {
  title: string;
  file: string;
  edits: readonly TextEdit[];
  safe?: boolean;
  preferred?: boolean;
}

/** A fix in one file; neither safe nor preferred unless said. */
export function fixIn({ title, file, edits, safe = false, preferred = false }: FixText): Fix {
  return { title, edits: new Map([[file, edits]]), safe, preferred };
}
