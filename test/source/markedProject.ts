/**
 * A project written as one text with marks below its lines → its files, and the places that the marks name.
 *
 *     === a.py                     begins a file
 *     def resize(): ...
 *         ^^^^^^ def               the range of the line above, with a label; "|" marks a place between characters
 */
import type { Range } from '../../runtime/contract/diagnostic.ts';

/** One mark. */
export interface Mark {
  file: string;
  range: Range;
  label: string;
}

const MARK = /^( *)(\^+|\|) (\S.*)$/;

/** Takes a marked project apart. */
export function parseMarked(fixture: string): { files: Record<string, string>; marks: Mark[] } {
  const files: Record<string, string> = {};
  const marks: Mark[] = [];
  for (const section of fixture.split(/^=== /m).slice(1)) {
    const [file, ...lines] = section.split('\n');
    const kept: string[] = [];
    for (const line of lines) {
      const [, indent, carets, label] = MARK.exec(line) ?? [];
      if (indent === undefined) {
        kept.push(line);
        continue;
      }
      const start = { line: kept.length - 1, character: indent.length };
      const end = { ...start, character: start.character + carets!.replace('|', '').length };
      marks.push({ file: file!, range: { start, end }, label: label! });
    }
    files[file!] = kept.join('\n');
  }
  return { files, marks };
}

/** A place as tests compare it. */
export function describePlace({ file, range: { start, end } }: Pick<Mark, 'file' | 'range'>): string {
  return `${file}:${start.line + 1}:${start.character + 1}-${end.line === start.line ? '' : `${end.line + 1}:`}${end.character + 1}`;
}
