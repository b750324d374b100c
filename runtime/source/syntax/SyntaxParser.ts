/**
 * Python text → a syntax tree to walk. The one seam to a parsing engine: no other module of this room knows which
 * one runs. Node names are those of the tree-sitter grammar of Python.
 */

/** 0-based row and UTF-16 column. */
export interface Point {
  readonly row: number;
  readonly column: number;
}

/** One node; indices and columns count UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: Point;
  readonly endPosition: Point;
  readonly isMissing: boolean;
  readonly isError: boolean;
  /** Whether an error or a missing token is inside. */
  readonly hasError: boolean;
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  readonly parent: SyntaxNode | null;
  childForFieldName(name: string): SyntaxNode | null;
  /** The smallest named node in which an index is; found without looking at all others. */
  namedDescendantForIndex(index: number): SyntaxNode | null;
  descendantsOfType(types: string | string[]): readonly SyntaxNode[];
}

/** One replaced stretch of a text; indices count UTF-16 code units. */
export interface SyntaxEdit {
  readonly startIndex: number;
  readonly oldEndIndex: number;
  readonly newEndIndex: number;
  readonly startPosition: Point;
  readonly oldEndPosition: Point;
  readonly newEndPosition: Point;
}

/** A parsed text. Engines keep trees outside of the garbage collector: `delete()` in a `finally`. */
export interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  /** Moves what stands behind an edit of the text; the tree then serves as the next parse's `previous`. */
  edit(edit: SyntaxEdit): void;
  delete(): void;
}

/** An engine, loaded and ready. */
export interface SyntaxParser {
  /** How much text in all should be parsed with it before another takes over, UTF-16 units. */
  readonly capacity: number;
  /**
   * Parses any text; broken source gives a tree with errors, never an exception.
   *
   * @param previous - Tree of the text before its edits, each of which it was told: what they left alone is taken
   * over. In broken source the outcome may depend on it. It still is its owner's to delete.
   * @throws ToolkitError INTERNAL when the engine has stopped working, which nothing mends but a new process.
   */
  parse(text: string, previous?: SyntaxTree): SyntaxTree;
}
