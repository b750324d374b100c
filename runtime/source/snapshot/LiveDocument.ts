/**
 * An open document, edit by edit → its text and facts. Positions are the same as in the editor's text; only
 * line ends are converted for the parser.
 */

import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../../contract/diagnostic.ts';
import { FileBinder } from '../binder/FileBinder.ts';
import type { FileFacts } from '../binder/FileFacts.ts';
import type { TextEdit } from '../binder/TextEdit.ts';
import { runSteps, type Steps } from '../steps.ts';
import { isLarge, segmentsOf } from '../syntax/readSegment.ts';
import type { PlacedSegment } from '../syntax/Segment.ts';
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { joinEdits, wholeTextEdit } from './textEdit.ts';

/** One change of `textDocument/didChange`; without a range, it replaces the whole text. */
export interface TextChange {
  range?: Range;
  text: string;
}

export class LiveDocument {
  /** Relative to the project's root, with `/`. */
  readonly file: string;
  readonly #binder: FileBinder;
  readonly #document: TextDocument;
  #text: string;
  #facts: FileFacts;
  /** The edit since the last read; null when there is none. */
  #unread: TextEdit | null;
  #isRead = false;

  /**
   * @param source - The document as the editor opened it.
   * @param known - The facts of the file before it was opened.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  constructor(
    { file, text }: { file: string; text: string },
    parser: SyntaxParser,
    known: FileFacts | null = null,
  ) {
    this.file = file;
    this.#document = TextDocument.create(file, 'python', 0, text);
    this.#text = parserText(text);
    this.#unread = { start: 0, oldEnd: 0, newEnd: text.length };
    // Comparing the facts of a large file takes longer than recomputing what depends on them.
    this.#binder = new FileBinder(file, parser, isLarge(text) ? null : known);
    this.#facts = known ?? runSteps(this.#binder.steps(''));
    if (!isLarge(text)) runSteps(this.read());
  }

  /**
   * The editor's text, with each lone carriage return replaced by a line feed. Length and positions stay the
   * same.
   */
  get text(): string {
    return this.#text;
  }

  /** Facts of the text that was read last; the same object as long as they do not change. */
  get facts(): FileFacts {
    return this.#facts;
  }

  /** Whether the facts belong to the current text. False only for a large text, until `read` ends. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The segments of the current text. */
  segments(): Iterable<PlacedSegment> {
    return this.#isRead ? this.#binder.segments() : segmentsOf(this.#text);
  }

  /**
   * Applies changes in order.
   *
   * @returns Whether the facts have changed or have yet to be read.
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  change(changes: readonly TextChange[]): boolean {
    if (changes.length === 0) return false;
    for (const change of changes) this.#unread = joinEdits(this.#unread, this.#apply(change));
    this.#text = parserText(this.#document.getText());
    const isBeingRead = !this.#isRead;
    this.#isRead = false;
    if (isBeingRead || isLarge(this.#text)) return true;
    const before = this.#facts;
    runSteps(this.read());
    return this.#facts !== before;
  }

  /**
   * Reads a large text in small steps. Only one read may run at a time; changes that arrive in the meantime
   * are read afterwards.
   *
   * @throws ToolkitError INTERNAL when the engine has stopped working.
   */
  *read(): Steps {
    try {
      while (this.#unread) {
        const edit = this.#unread;
        this.#unread = null;
        this.#facts = yield* this.#binder.steps(this.#text, edit);
      }
    } finally {
      this.#isRead = true;
    }
  }

  #apply({ range, text }: TextChange): TextEdit {
    const document = this.#document;
    const before = document.getText();
    const ends = range && [document.offsetAt(range.start), document.offsetAt(range.end)];
    const given = ends
      ? { start: Math.min(...ends), oldEnd: Math.max(...ends), newEnd: Math.min(...ends) + text.length }
      : wholeTextEdit(before, text);
    // Whether a carriage return ends a line by itself depends on the next character.
    const start = before[given.start - 1] === '\r' ? given.start - 1 : given.start;
    TextDocument.update(document, [range ? { range, text } : { text }], document.version + 1);
    return { ...given, start };
  }
}

/** Editors treat a lone carriage return as a line end; the parser does not. */
function parserText(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}
