/**
 * One project at one moment, as the editor's features see it: answers computed from facts, and texts on
 * demand.
 */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { ProjectIndex } from '../declarations/ProjectIndex.ts';
import type { Dependencies } from '../environment/Dependencies.ts';
import type { ProjectConfig } from '../reading.ts';
import type { Steps } from '../steps.ts';
import type { SegmentFilter, TreeWalk } from '../syntax/parseSegments.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

export interface ProjectView {
  /** Absolute path. */
  readonly root: string;
  readonly config: ProjectConfig;
  /** Packages of the project's Python environment, and the requirements in the project's files. */
  readonly dependencies: Dependencies;
  /**
   * Declarations with their ranges, names that are resolved across files (`index.names`), and the facts of
   * any file.
   */
  readonly index: ProjectIndex;
  /** Every Python file of the project, relative to the root with `/`. */
  readonly files: Iterable<string>;
  /** Findings of a file, in source order. */
  diagnosticsOf(file: string): readonly Diagnostic[];
  /** The open text, otherwise the text on disk; null if neither can be read. */
  textOf(file: string): string | null;
  /**
   * Walks the syntax tree of a whole file. Its nodes are valid only during the walk. Null when the file has
   * no text.
   */
  withTree<Result>(file: string, walk: (root: SyntaxNode, text: string) => Result): Result | null;
  /** Reads the facts of a file, so that `index` can answer without waiting. */
  readFacts(file: string): Steps<FileFacts | null>;
  /** Walks the trees of some segments of an open or closed file. */
  withSegments(file: string, isWanted: SegmentFilter, walk: TreeWalk): Steps;
  /**
   * The same, without steps. A large file that is not open is skipped, because finding its segments takes
   * long.
   */
  withSegmentsNow(file: string, isWanted: SegmentFilter, walk: TreeWalk): void;
  /** Python files whose text contains a name as a whole word, sorted. */
  filesWithWord(word: string): Steps<string[]>;
}
