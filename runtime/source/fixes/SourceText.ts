/** A file's text for edits: offsets, positions, and the line ends and indentation that the text uses. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from '../../contract/diagnostic.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import type { TextEdit } from './TextEdit.ts';

const KNOWN = new WeakMap<ProjectView, Map<string, SourceText | null>>();

export class SourceText {
  readonly text: string;
  readonly #document: TextDocument;

  constructor(text: string) {
    this.text = text;
    this.#document = TextDocument.create('', '', 0, text);
  }

  /**
   * A file of the project; null when it cannot be read. Created once per view, because a file can have many
   * findings.
   */
  static of(project: ProjectView, file: string): SourceText | null {
    const known = KNOWN.get(project) ?? new Map<string, SourceText | null>();
    KNOWN.set(project, known);
    const made = known.get(file);
    if (made !== undefined) return made;
    const text = project.textOf(file);
    const source = text === null ? null : new SourceText(text);
    known.set(file, source);
    return source;
  }

  /** The line end that the text uses. */
  get lineEnd(): string {
    return this.text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** One level of indentation, taken from the first indented line. */
  get indentUnit(): string {
    return /^(?:\t| {2,8}(?=\S))/m.exec(this.text)?.[0] ?? '    ';
  }

  offset(position: Position): number {
    return this.#document.offsetAt(position);
  }

  slice({ start, end }: Range): string {
    return this.text.slice(this.offset(start), this.offset(end));
  }

  /** Replaces the text between two offsets. */
  edit(start: number, end: number, newText: string): TextEdit {
    const range = { start: this.#document.positionAt(start), end: this.#document.positionAt(end) };
    return { range, newText };
  }

  insert(at: number, newText: string): TextEdit {
    return this.edit(at, at, newText);
  }

  /** The start of the line that contains an offset. */
  startOfLine(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** The end of the line that contains an offset, before its line break. */
  endOfLine(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    if (at === -1) return this.text.length;
    return at > offset && this.text[at - 1] === '\r' ? at - 1 : at;
  }

  /** The start of the next line after an offset; the end of the text when there is none. */
  startOfNextLine(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    return at === -1 ? this.text.length : at + 1;
  }

  /** The whitespace at the start of the line that contains an offset. */
  indentOf(offset: number): string {
    return /^[ \t\f]*/.exec(this.text.slice(this.startOfLine(offset), this.endOfLine(offset)))![0];
  }
}
