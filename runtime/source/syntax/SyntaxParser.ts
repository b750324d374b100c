/**
 * Python text → a syntax tree to walk. The one seam to a parsing engine: no other module of this room knows which
 * one runs. Node names are those of the tree-sitter grammar of Python.
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
  childForFieldName(name: string): SyntaxNode | null;
  descendantsOfType(types: string | string[]): readonly SyntaxNode[];
}

/** A parsed text. Engines keep trees outside of the garbage collector: `delete()` in a `finally`. */
interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  delete(): void;
}

/** An engine, loaded and ready. */
export interface SyntaxParser {
  /** Parses any text; broken source gives a tree with errors, never an exception. */
  parse(text: string): SyntaxTree;
}
