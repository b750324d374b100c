/** Writes the comment that silences a warning or hint in the line where it starts. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Fixes, FixRequest, TextEdit } from './Fix.ts';
import type { SourceText } from './SourceText.ts';

const IGNORE = /(\btoolkit:\s*ignore\[)([^\]]*)\]/;
/** A string of TOML within one line, or a comment. */
const TOML_TOKEN = /"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g;

export function* silenceFinding({ project, source, found }: FixRequest): Fixes {
  if (found.severity === 'error') return;
  const edit =
    found.file === PROJECT_FILES.pyproject
      ? inToml(source, found)
      : project.withTree(found.file, (root) => inPython(source, root, found));
  if (edit) yield { title: `Silence ${found.code} in this line`, edits: [edit] };
}

function inPython(source: SourceText, root: SyntaxNode, { range, code }: Diagnostic): TextEdit | null {
  const start = source.startOfLine(source.offset(range.start));
  const end = source.endOfLine(start);
  const comment = root.hasError && source.text.slice(start, end).includes('#') ? null : nodeAcross(root, end);
  if (comment === null) return null;
  // An interpreter's path ends where the line does.
  if (source.text.startsWith('#!') && start === 0) return null;
  if (comment?.type === 'comment') return withCode(source, comment.startIndex, end, code);
  if (comment || source.text.slice(start, end).endsWith('\\')) return null;
  return source.insert(end, `${end === start ? '' : '  '}# toolkit: ignore[${code}]`);
}

/** A comment up to the end of its line at an offset, or a text that goes on beyond it; undefined when there is neither. */
function nodeAcross(node: SyntaxNode, offset: number): SyntaxNode | undefined {
  for (const child of node.namedChildren) {
    if (child.endIndex < offset || child.startIndex > offset) continue;
    // Its node may take in the first half of a Windows line end.
    if (child.type === 'comment') return child;
    if (child.type === 'string' && child.startIndex < offset && child.endIndex > offset) return child;
    const inner = nodeAcross(child, offset);
    if (inner) return inner;
  }
  return undefined;
}

function inToml(source: SourceText, { range, code }: Diagnostic): TextEdit | null {
  const start = source.startOfLine(source.offset(range.start));
  const end = source.endOfLine(start);
  const line = source.text.slice(start, end);
  if (/"""|'''/.test(line)) return null;
  const comment = [...line.matchAll(TOML_TOKEN)].find(([token]) => token.startsWith('#'));
  if (comment) return withCode(source, start + comment.index, end, code);
  return source.insert(end, `  # toolkit: ignore[${code}]`);
}

/** Adds a code to a comment. */
function withCode(source: SourceText, start: number, end: number, code: string): TextEdit {
  const listed = IGNORE.exec(source.text.slice(start, end));
  if (!listed) return source.insert(end, `  # toolkit: ignore[${code}]`);
  const at = start + listed.index + listed[1]!.length + listed[2]!.trimEnd().length;
  return source.insert(at, listed[2]!.trim() === '' ? code : `, ${code}`);
}
