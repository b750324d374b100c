/** One project at one moment, as the editor's features see it: pure answers from facts, and texts on demand. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { Dependencies } from '../environment/Dependencies.ts';
import type { ProjectConfig } from '../reading.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface ProjectView {
  /** Absolute path. */
  readonly root: string;
  readonly config: ProjectConfig;
  /** Packages of the project's Python, and what its files ask for. */
  readonly dependencies: Dependencies;
  /** Declarations with their places, names resolved across files (`index.names`), facts of any file. */
  readonly index: ProjectIndex;
  /** Every Python file of the project, relative to the root with `/`. */
  readonly files: Iterable<string>;
  /** Findings of a file, in order of place. */
  diagnosticsOf(file: string): readonly Diagnostic[];
  /** The open text, else the text on disk; null when there is none that can be read. */
  textOf(file: string): string | null;
  /** Walks a file's syntax tree: the open document's, else one that is deleted afterwards. Null without a text. */
  withTree<Result>(file: string, walk: (root: SyntaxNode, text: string) => Result): Result | null;
  /**
   * Walks the trees of the statements that hold some lines, and of nothing else of an open text; `row` is a statement's
   * first line. Of a large text that is not open nothing is walked.
   */
  withTreesAt(file: string, lines: readonly number[], walk: (root: SyntaxNode, row: number) => void): void;
  /** Python files whose text has a name as a whole word, in order; read in slices. */
  filesWithWord(word: string, signal: AbortSignal): Promise<string[]>;
}
