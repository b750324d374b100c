/**
 * Python text → a syntax tree. The only interface to a parsing engine: in this room, only `loadParser` knows which
 * engine runs. Node names are those of the tree-sitter grammar of Python.
 */

/** 0-based row and UTF-16 column. */
interface Point {
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
  /** The smallest named node that contains an index, found without visiting every node. */
  namedDescendantForIndex(index: number): SyntaxNode | null;
  descendantsOfType(types: string | string[]): readonly SyntaxNode[];
}

/** Part of a text that counts as lines of its own; its nodes have the rows of those lines. */
export interface TextRange {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: Point;
  readonly endPosition: Point;
}

/** A parsed text. Engines keep trees outside the garbage-collected heap: call `delete()` in a `finally`. */
export interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  delete(): void;
}

/** An engine, loaded and ready. */
export interface SyntaxParser {
  /** Total length of text to parse before switching to another engine, in UTF-16 units. */
  readonly capacity: number;
  /**
   * Parses any text; broken source gives a tree with errors, never an exception.
   *
   * @param ranges - The parts of the text, in order, if they come from different lines of a file.
   * @throws ToolkitError INTERNAL when the engine has stopped working; only a new process helps.
   */
  parse(text: string, ranges?: readonly TextRange[]): SyntaxTree;
}
