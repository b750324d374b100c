/** A finding → a change of texts that mends it. Fixes only read the project; an editor applies them. */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { SourceText } from './SourceText.ts';

/** A range of a file and what stands there afterwards; those of one file never overlap. */
export interface TextEdit {
  range: Range;
  newText: string;
}

export interface Fix {
  /** What it does, as an editor's menu shows it. */
  title: string;
  /** By file, relative to the root with `/`. */
  edits: Map<string, readonly TextEdit[]>;
  /** Whether it may be applied unasked: nothing but the finding can come to mean something else. */
  safe: boolean;
  /** Whether it is the one that is most probably wanted. */
  preferred: boolean;
}

/** A finding to mend, in the text that it is in. */
export interface FixRequest {
  project: ProjectView;
  index: ProjectIndex;
  source: SourceText;
  found: Diagnostic;
}

/** What a fixer has to say of a fix: edits of the finding's own file unless it says of which, and neither safe nor preferred. */
export interface FixText extends Pick<Fix, 'title'>, Partial<Pick<Fix, 'safe' | 'preferred'>> {
  edits: readonly TextEdit[] | Fix['edits'];
  file?: string;
}

export type Fixes = Iterable<FixText>;

/** Finds the fixes of one finding; none where it cannot be sure of the place. */
export type Fixer = (request: FixRequest) => Fixes;

/** A fix with all that it does not say. */
export function fixOf(ownFile: string, { title, edits, file = ownFile, ...weight }: FixText): Fix {
  const byFile = edits instanceof Map ? edits : new Map([[file, edits]]);
  return { safe: false, preferred: false, ...weight, title, edits: byFile };
}
