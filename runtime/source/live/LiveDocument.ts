/**
 * An open document, edit by edit → its text, tree and facts. The text is the one that the editor shows, position for
 * position; only what ends a line is told in the parser's way.
 */
import { isDeepStrictEqual } from 'node:util';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../../contract/diagnostic.ts';
import type { FileFacts } from '../facts/FileFacts.ts';
import { readFacts } from '../facts/readFacts.ts';
import type { SyntaxNode, SyntaxParser, SyntaxTree } from '../syntax/SyntaxParser.ts';

/** One change of `textDocument/didChange`; without a range, the whole text. */
export interface TextChange {
  range?: Range;
  text: string;
}

export class LiveDocument {
  /** Relative to the project's root, with `/`. */
  readonly file: string;
  readonly #parser: SyntaxParser;
  readonly #document: TextDocument;
  #text: string;
  #facts: FileFacts;
  #tree: SyntaxTree | null = null;

  /**
   * @param source - The document as the editor opened it.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  constructor({ file, text }: { file: string; text: string }, parser: SyntaxParser) {
    this.file = file;
    this.#parser = parser;
    this.#document = TextDocument.create(file, 'python', 0, text);
    this.#text = parserText(text);
    this.#facts = readFacts({ file, text: this.#text }, parser);
  }

  /** As long as the editor's text, with the same positions; a lone carriage return is a line feed. */
  get text(): string {
    return this.#text;
  }

  /** What the text says; the same object for as long as it says the same. */
  get facts(): FileFacts {
    return this.#facts;
  }

  /** Root of the current tree; its nodes are good until the next change. */
  get root(): SyntaxNode {
    this.#tree ??= this.#parser.parse(this.#text.replaceAll('\0', ' '));
    return this.#tree.rootNode;
  }

  /**
   * Applies changes in their order.
   *
   * @returns Whether the facts are others than before.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  change(changes: readonly TextChange[]): boolean {
    TextDocument.update(this.#document, [...changes], this.#document.version + 1);
    this.#text = parserText(this.#document.getText());
    this.dispose();
    const facts = readFacts({ file: this.file, text: this.#text }, this.#parser);
    if (isDeepStrictEqual(facts, this.#facts)) return false;
    this.#facts = facts;
    return true;
  }

  /** Frees the tree, which the garbage collector does not see. */
  dispose(): void {
    this.#tree?.delete();
    this.#tree = null;
  }
}

/** Editors count a lone carriage return as a line's end, the parser does not. */
function parserText(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}
