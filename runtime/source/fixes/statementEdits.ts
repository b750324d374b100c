/**
 * Adds statements at the beginning of the body of a function or class, even when the body is on the header's
 * line, and removes statements.
 */

import { values } from '../binder/readExpression.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { SourceText } from './SourceText.ts';
import type { TextEdit } from './TextEdit.ts';

/**
 * Adds lines to a body. An entry can contain several lines, which are all indented.
 *
 * @param definition - A `function_definition` or `class_definition` without a syntax error.
 * @param before - Whether the lines go before a docstring.
 */
export function addToBody(
  source: SourceText,
  definition: SyntaxNode,
  lines: readonly string[],
  before: boolean,
): TextEdit[] {
  const { text, lineEnd } = source;
  const block = definition.childForFieldName('body');
  const statements = block ? values(block) : [];
  const [first, second] = statements;
  const colon = definition.children.findLast(
    ({ type, endIndex }) => type === ':' && endIndex <= (first?.startIndex ?? 0),
  );
  if (!first || !colon) return [];
  const isInline = isOneLine(text.slice(colon.endIndex, first.startIndex));
  const indent = isInline
    ? source.indentOf(definition.startIndex) + source.indentUnit
    : source.indentOf(first.startIndex);
  const newLine = `${lineEnd}${indent}`;
  const added = lines.map((line) => line.replaceAll(/\r?\n/g, newLine)).join(newLine);
  if (before || !isDocstring(first)) {
    return isInline
      ? [source.edit(colon.endIndex, first.startIndex, `${newLine}${added}${newLine}`)]
      : [source.insert(source.endOfLine(colon.endIndex), `${newLine}${added}`)];
  }
  const opened = isInline ? [source.edit(colon.endIndex, first.startIndex, newLine)] : [];
  const sharesLine = second && isOneLine(text.slice(first.endIndex, second.startIndex));
  return sharesLine
    ? [...opened, source.edit(first.endIndex, second.startIndex, `${newLine}${added}${newLine}`)]
    : [...opened, source.insert(source.endOfLine(first.endIndex), `${newLine}${added}`)];
}

/**
 * Removes statements of one list, and their lines when nothing else is on them. Edits of statements that are
 * joined by semicolons never touch each other.
 *
 * @param gone - Indices of the removed statements among the siblings, each with the lines that replace it.
 */
export function removeStatements(
  source: SourceText,
  siblings: readonly SyntaxNode[],
  gone: ReadonlyMap<number, string>,
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let first = 0; first < siblings.length; ) {
    let last = first;
    while (last + 1 < siblings.length && areJoined(source, siblings[last]!, siblings[last + 1]!)) last += 1;
    edits.push(...removeOfLine(source, siblings, { first, last }, gone));
    first = last + 1;
  }
  return edits;
}

/** Removes some of the statements from `first` to `last`, which are joined by semicolons. */
function removeOfLine(
  source: SourceText,
  siblings: readonly SyntaxNode[],
  { first, last }: { first: number; last: number },
  gone: ReadonlyMap<number, string>,
): TextEdit[] {
  const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const removed = places.filter((at) => gone.has(at));
  if (removed.length === 0) return [];
  const textOf = (some: readonly number[]) => some.map((at) => gone.get(at)).join('');
  const lastKept = places.findLast((at) => !gone.has(at));
  if (lastKept === undefined) {
    const { startIndex } = siblings[first]!;
    const { endIndex } = siblings[last]!;
    const lineStart = source.startOfLine(startIndex);
    return [source.edit(lineStart, afterBlankLine(source, lineStart, endIndex), textOf(places))];
  }
  const behind = removed.filter((at) => at > lastKept);
  return [
    ...removed
      .filter((at) => at < lastKept)
      .map((at) => source.edit(siblings[at]!.startIndex, siblings[at + 1]!.startIndex, textOf([at]))),
    ...(behind.length > 0
      ? [source.edit(siblings[lastKept]!.endIndex, siblings[last]!.endIndex, textOf(behind))]
      : []),
  ];
}

function areJoined({ text }: SourceText, { endIndex }: SyntaxNode, { startIndex }: SyntaxNode): boolean {
  const between = text.slice(endIndex, startIndex);
  return between.includes(';') && isOneLine(between);
}

/** The end of a removal. If blank lines surround the removed text, one of them is removed too. */
function afterBlankLine(source: SourceText, lineStart: number, end: number): number {
  const next = source.startOfNextLine(end);
  const before = source.text.slice(source.startOfLine(Math.max(0, lineStart - 1)), lineStart);
  const isBlankBefore = lineStart === 0 || before.trim() === '';
  const isBlankAfter = /^[ \t]*\r?\n/.exec(source.text.slice(next, next + 200));
  return isBlankBefore && isBlankAfter ? next + isBlankAfter[0].length : next;
}

/** Whether there is no line break between two tokens; a backslash joins two lines. */
function isOneLine(between: string): boolean {
  return !between.replaceAll(/\\\r?\n/g, '').includes('\n');
}

function isDocstring(statement: SyntaxNode): boolean {
  const literal = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
  return literal?.type === 'string' || literal?.type === 'concatenated_string';
}

/** The definition in a syntax tree whose name begins at an index; null when there is none. */
export function findDefinition(root: SyntaxNode, index: number): SyntaxNode | null {
  const definition = root.namedDescendantForIndex(index)?.parent;
  if (!definition || !/^(?:function|class)_definition$/.test(definition.type)) return null;
  return definition.childForFieldName('name')?.startIndex === index ? definition : null;
}
