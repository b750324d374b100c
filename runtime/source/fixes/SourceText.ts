/** A file's text for edits: offsets and positions, and the line ends and indentation that it uses. */
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
   * A file of the project; null when it cannot be read. It is made once for each view, since a file may have many
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

  /** One level of indentation, as the first indented line has it. */
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

  /** Where the line of an offset begins. */
  startOfLine(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Where the line of an offset ends, before its line end. */
  endOfLine(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    if (at === -1) return this.text.length;
    return at > offset && this.text[at - 1] === '\r' ? at - 1 : at;
  }

  /** Where the line after that of an offset begins; the text's end when there is none. */
  startOfNextLine(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    return at === -1 ? this.text.length : at + 1;
  }

  /** The blanks that the line of an offset begins with. */
  indentOf(offset: number): string {
    return /^[ \t\f]*/.exec(this.text.slice(this.startOfLine(offset), this.endOfLine(offset)))![0];
  }
}
