/** A finding → text edits that fix it. Fixes only read the project; an editor applies them. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

export interface Fix {
  /** What it does, as shown in an editor's menu. */
  title: string;
  /** By file, relative to the root with `/`. */
  edits: Map<string, readonly TextEdit[]>;
  /** Whether it can be applied without asking, because it cannot change the meaning of anything else. */
  safe: boolean;
  /** Whether it is probably the one that the user wants. */
  preferred: boolean;
}

/** A finding to fix, and the text of its file. */
export interface FixRequest {
  project: ProjectView;
  index: ProjectIndex;
  source: SourceText;
  found: Diagnostic;
}

/**
 * A fix as a fixer yields it. By default it edits the finding's own file, and is neither safe nor preferred.
 */
export interface FixText extends Pick<Fix, 'title'>, Partial<Pick<Fix, 'safe' | 'preferred'>> {
  edits: readonly TextEdit[] | Fix['edits'];
  file?: string;
}

export type Fixes = Iterable<FixText>;

/** Finds the fixes of one finding; none when it is unclear what to edit. */
export type Fixer = (request: FixRequest) => Fixes;

/** Completes a fix with the defaults. */
export function fixOf(ownFile: string, { title, edits, file = ownFile, ...weight }: FixText): Fix {
  const byFile = edits instanceof Map ? edits : new Map([[file, edits]]);
  return { safe: false, preferred: false, ...weight, title, edits: byFile };
}
