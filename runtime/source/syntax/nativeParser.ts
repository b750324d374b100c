/**
 * The engine that is compiled for the machine: node-tree-sitter, where it is installed and can be loaded. Its trees are
 * memory that the garbage collector does not see the size of, so it is none for many files.
 */
import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';
import { ToolkitError } from '../../contract/errors.ts';
import type { SyntaxEdit, SyntaxNode, SyntaxParser, SyntaxTree } from './SyntaxParser.ts';

/**
 * UTF-16 units. The native engine starts about 20 ms sooner than the wasm engine and takes about 11 ms more to read
 * 100,000 of them, since each look at a node costs more; and its trees take some 150 times the text's memory.
 */
export const NATIVE_CAPACITY = 200_000;

/**
 * Loads the native engine.
 *
 * @throws ToolkitError INTERNAL when it is not installed, or its binary is for another system.
 */
export function loadNativeParser(): SyntaxParser {
  const parser = load();
  return {
    capacity: NATIVE_CAPACITY,
    parse(text, previous) {
      const tree = parser.parse(text, previous instanceof NativeTree ? previous.tree : null);
      // Only a cancelled parse gives none.
      if (!tree) throw new ToolkitError('INTERNAL', 'The syntax engine stopped working.');
      return new NativeTree(tree);
    },
  };
}

function load(): Parser {
  try {
    const require = createRequire(import.meta.url);
    const NativeParser = require('tree-sitter') as typeof Parser;
    const parser = new NativeParser();
    parser.setLanguage(require('tree-sitter-python') as Parser.Language);
    return parser;
  } catch (cause) {
    throw new ToolkitError('INTERNAL', 'The native syntax engine cannot be loaded.', {
      hint: 'Install the packages tree-sitter and tree-sitter-python.',
      cause,
    });
  }
}

class NativeTree implements SyntaxTree {
  readonly tree: Parser.Tree;
  readonly rootNode: SyntaxNode;

  constructor(tree: Parser.Tree) {
    this.tree = tree;
    this.rootNode = tree.rootNode;
  }

  edit(edit: SyntaxEdit): void {
    this.tree.edit(edit);
  }

  /** The collector frees it once nothing refers to it. */
  delete(): void {}
}
