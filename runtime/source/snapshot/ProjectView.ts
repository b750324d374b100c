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
  /** Packages of the project's Python, and the requirements that its files state. */
  readonly dependencies: Dependencies;
  /** Declarations with their ranges, names resolved across files (`index.names`), facts of any file. */
  readonly index: ProjectIndex;
  /** Every Python file of the project, relative to the root with `/`. */
  readonly files: Iterable<string>;
  /** Findings of a file, in source order. */
  diagnosticsOf(file: string): readonly Diagnostic[];
  /** The open text, else the text on disk; null if neither can be read. */
  textOf(file: string): string | null;
  /** Walks a file's syntax tree: the open document's, else one that is deleted afterwards. Null without a text. */
  withTree<Result>(file: string, walk: (root: SyntaxNode, text: string) => Result): Result | null;
  /**
   * Walks the trees of the segments that contain some lines; `row` is a segment's first line. They are the same for a
   * file that is open and for one that is not, of which a large one is not walked at all.
   */
  withTreesAt(file: string, lines: readonly number[], walk: (root: SyntaxNode, row: number) => void): void;
  /** Python files whose text contains a name as a whole word, sorted; read in slices. */
  filesWithWord(word: string, signal: AbortSignal): Promise<string[]>;
}
