/** One project at one moment, as the editor's features see it: pure answers from facts, and texts on demand. */
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
  /** Walks the syntax tree of a whole file, whose nodes are valid during the walk. Null without a text. */
  withTree<Result>(file: string, walk: (root: SyntaxNode, text: string) => Result): Result | null;
  /** Reads the facts of a file, so that `index` has them at once. */
  readFacts(file: string): Steps<FileFacts | null>;
  /** Walks the trees of some segments of a file, whether it is open or not. */
  withSegments(file: string, isWanted: SegmentFilter, walk: TreeWalk): Steps;
  /** The same at once; a large file that is not open is not walked, since finding its segments takes long. */
  withSegmentsNow(file: string, isWanted: SegmentFilter, walk: TreeWalk): void;
  /** Python files whose text contains a name as a whole word, sorted. */
  filesWithWord(word: string): Steps<string[]>;
}
