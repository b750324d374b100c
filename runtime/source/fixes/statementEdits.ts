/** Adds statements at the beginning of a function's or class's body, also where the body stands in the header's line. */

import { values } from '../facts/readExpression.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { TextEdit } from './Fix.ts';
import type { SourceText } from './SourceText.ts';

/**
 * Adds lines to a body; a line may hold further lines, which are indented with it.
 *
 * @param definition - A `function_definition` or `class_definition` without a fault.
 * @param before - Whether they come before a docstring.
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

/** Removes a statement that stands in a list of statements, with its line when it has one of its own. */
export function removeStatement(source: SourceText, siblings: readonly SyntaxNode[], at: number): TextEdit {
  const { text } = source;
  const { startIndex, endIndex } = siblings[at]!;
  const lineStart = source.startOfLine(startIndex);
  const isFirst = text.slice(lineStart, startIndex).trim() === '';
  const rest = /^[ \t]*(;?)[ \t]*/.exec(text.slice(endIndex))!;
  const restOfLine = text.slice(endIndex + rest[0].length, source.endOfLine(endIndex));
  const isLast = restOfLine === '' || restOfLine.startsWith('#');
  if (isFirst && isLast) return source.edit(lineStart, afterBlankLine(source, lineStart, endIndex), '');
  if (!isLast) return source.edit(startIndex, endIndex + rest[0].length, '');
  return source.edit(text.lastIndexOf(';', startIndex), endIndex, '');
}

/** Of two blank lines around a removed one, one goes too. */
function afterBlankLine(source: SourceText, lineStart: number, end: number): number {
  const next = source.startOfNextLine(end);
  const before = source.text.slice(source.startOfLine(Math.max(0, lineStart - 1)), lineStart);
  const isBlankBefore = lineStart === 0 || before.trim() === '';
  const isBlankAfter = /^[ \t]*\r?\n/.exec(source.text.slice(next, next + 200));
  return isBlankBefore && isBlankAfter ? next + isBlankAfter[0].length : next;
}

/** Whether what stands between two tokens ends no line: a backslash joins two. */
function isOneLine(between: string): boolean {
  return !between.replaceAll(/\\\r?\n/g, '').includes('\n');
}

function isDocstring(statement: SyntaxNode): boolean {
  const literal = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
  return literal?.type === 'string' || literal?.type === 'concatenated_string';
}
