/**
 * Python text → a syntax tree. This is the only interface to a parsing engine: in this room, only
 * `loadParser` knows which engine runs. Node names are those of tree-sitter's Python grammar.
 */

/** 0-based row and UTF-16 column. */
interface Point {
  readonly row: number;
  readonly column: number;
}

/** A node of a tree. Indices and columns count UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: Point;
  readonly endPosition: Point;
  readonly isMissing: boolean;
  readonly isError: boolean;
  /** Whether the node contains an error or a missing token. */
  readonly hasError: boolean;
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  readonly parent: SyntaxNode | null;
  childForFieldName(name: string): SyntaxNode | null;
  /** The smallest named node that contains an index, found without visiting every node. */
  namedDescendantForIndex(index: number): SyntaxNode | null;
  descendantsOfType(types: string | string[]): readonly SyntaxNode[];
}

/** A part of a text that is parsed as if it were on other lines; its nodes have the rows of those lines. */
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

/** A loaded engine. */
export interface SyntaxParser {
  /** Total length of text, in UTF-16 units, that the engine can parse before another engine is needed. */
  readonly capacity: number;
  /**
   * Parses any text. Broken source gives a tree with errors, never an exception.
   *
   * @param ranges - The parts of the text, in order, if they come from different parts of a file.
   * @throws ToolkitError INTERNAL when the engine has stopped working; the process must be restarted.
   */
  parse(text: string, ranges?: readonly TextRange[]): SyntaxTree;
}
