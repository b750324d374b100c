/** A text and its tree → the one fault to tell: a place and a sentence that help, and never one on valid Python. */
import type { SyntaxFault } from '../facts/FileFacts.ts';
import { rangeOf } from '../facts/range.ts';
import { positionAt, readLayout, type TextFault } from './layoutFault.ts';
import type { SyntaxNode, SyntaxParser } from './SyntaxParser.ts';

/** Longest piece of source that a message repeats. */
const QUOTED = 30;

/** The first fault of a text; null for valid Python. */
export function findFault(root: SyntaxNode, text: string, parser: SyntaxParser): SyntaxFault | null {
  const { fault, joined } = readLayout(text);
  const layout = nulFault(text) ?? (fault && placed(fault, text));
  if (layout) return layout;
  if (!root.hasError) return oldStatement(root, text);
  const node = firstError(root);
  return node && !isValid(joined, parser) ? treeFault(node, text) : null;
}

/** The first fault that needs no tree. */
export function layoutFaultOf(text: string): SyntaxFault | null {
  const { fault } = readLayout(text);
  return nulFault(text) ?? (fault && placed(fault, text));
}

function placed({ start, end, message, fix }: TextFault, text: string): SyntaxFault {
  return { message, range: { start: positionAt(text, start), end: positionAt(text, end) }, fix };
}

function nulFault(text: string): SyntaxFault | null {
  const nul = text.indexOf('\0');
  if (nul === -1) return null;
  const start = positionAt(text, nul);
  const range = { start, end: { ...start, character: start.character + 1 } };
  return { message: 'Python source cannot contain NUL bytes.', range, fix: 'Remove them.' };
}

/** The grammar takes some line ends inside of brackets for ends of statements, and no `*await`; without them it knows better. */
function isValid(joined: string, parser: SyntaxParser): boolean {
  const tree = parser.parse(joined.replace(/\*(?=\s*await\b)/g, ' '));
  try {
    return firstError(tree.rootNode) === null;
  } finally {
    tree.delete();
  }
}

function treeFault(node: SyntaxNode, text: string): SyntaxFault {
  const range = rangeOf(node);
  if (node.isMissing) return { message: `Python expects ${node.type} here.`, range, fix: null };
  const written = text.slice(node.startIndex, node.endIndex).trim().split('\n', 1)[0]!;
  const quoted = written.length > QUOTED ? `${written.slice(0, QUOTED)}…` : written;
  const message =
    quoted === '' ? 'This is no valid Python.' : `This is no valid Python, from "${quoted}" on.`;
  if (range.end.line === range.start.line) return { message, range, fix: null };
  const end = { line: range.start.line, character: range.start.character + written.length };
  return { message, range: { start: range.start, end }, fix: null };
}

/** The innermost error or missing node, first in source order; the grammar knows no defaults of type parameters. */
function firstError(node: SyntaxNode): SyntaxNode | null {
  if (!node.hasError && !node.isMissing && !node.isError) return null;
  if (node.type === 'type_parameter') return null;
  for (const child of node.children) {
    const found = firstError(child);
    if (found) return found;
  }
  return node.isError || node.isMissing ? node : null;
}

/** The grammar accepts a `try` that handles nothing. */
export function bareTryFault(node: SyntaxNode): SyntaxFault | null {
  if (node.hasError || node.namedChildren.some(({ type }) => /^(?:except|finally)/.test(type))) return null;
  const { start } = rangeOf(node);
  const range = { start, end: { ...start, character: start.character + 'try'.length } };
  return { message: 'This try needs an except or a finally.', range, fix: 'Add the handler.' };
}

/** The grammar also accepts two statements of Python 2. */
function oldStatement(root: SyntaxNode, text: string): SyntaxFault | null {
  if (!/^[ \t]*(?:print|exec)\b(?![ \t]*[=(.])/m.test(text)) return null;
  for (const node of root.descendantsOfType(['print_statement', 'exec_statement'])) {
    if (node.namedChildren.some(({ type }) => type === 'chevron')) continue;
    const name = node.type === 'print_statement' ? 'print' : 'exec';
    return {
      message: `${name} is a function in Python 3.`,
      range: rangeOf(node),
      fix: `Write ${name}(...).`,
    };
  }
  return null;
}
