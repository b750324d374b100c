/** Adds the comment that silences a warning or hint on the line where it starts. */
import { PROJECT_FILES } from '../../contract/names.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

const IGNORE = /(\btoolkit:\s*ignore\[)([^\]]*)\]/;
/** A TOML string on one line, or a comment. */
const TOML_TOKEN = /"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g;

export function* silenceFinding({ project, source, found }: FixRequest): Fixes {
  const { file, range, severity, code } = found;
  if (severity === 'error') return;
  const start = source.startOfLine(source.offset(range.start));
  const line = { start, end: source.endOfLine(start) };
  const at =
    file === PROJECT_FILES.pyproject
      ? commentInToml(source.text, line)
      : project.withTree(file, (root) => commentInPython(source.text, line, root));
  if (at !== null) {
    const edits = [withCode(source, { start: at, end: line.end }, code)];
    yield { title: `Silence ${code} on this line`, edits };
  }
}

interface Span {
  start: number;
  end: number;
}

/** Where a line's comment begins or can be added; null when the line cannot have one. */
function commentInPython(text: string, { start, end }: Span, root: SyntaxNode): number | null {
  const line = text.slice(start, end);
  if (root.hasError && line.includes('#')) return null;
  // A comment would become part of the interpreter's path.
  if (text.startsWith('#!') && start === 0) return null;
  const last = root.namedDescendantForIndex(Math.max(start, end - 1));
  if (last?.type === 'comment') return last.startIndex;
  return isInText(last, end) || line.endsWith('\\') ? null : end;
}

/** Whether a string continues after an index. */
function isInText(node: SyntaxNode | null, index: number): boolean {
  for (let at = node; at; at = at.parent) {
    if (at.type === 'string' && at.startIndex < index && at.endIndex > index) return true;
  }
  return false;
}

function commentInToml(text: string, { start, end }: Span): number | null {
  const line = text.slice(start, end);
  if (/"""|'''/.test(line)) return null;
  const comment = [...line.matchAll(TOML_TOKEN)].find(([token]) => token.startsWith('#'));
  return comment ? start + comment.index : end;
}

/** Adds a code to the comment, or adds a comment when there is none. */
function withCode(source: SourceText, { start, end }: Span, code: string): TextEdit {
  const listed = IGNORE.exec(source.text.slice(start, end));
  const blanks = source.startOfLine(end) === end ? '' : '  ';
  if (!listed) return source.insert(end, `${blanks}# toolkit: ignore[${code}]`);
  const at = start + listed.index + listed[1]!.length + listed[2]!.trimEnd().length;
  return source.insert(at, listed[2]!.trim() === '' ? code : `, ${code}`);
}
