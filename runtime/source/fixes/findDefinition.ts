/** The definition in a syntax tree whose name stands at a place. */
import type { Position } from '../../contract/diagnostic.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

/** A `function_definition` or `class_definition`; null when there is none. */
export function findDefinition(root: SyntaxNode, { line, character }: Position): SyntaxNode | null {
  for (const child of root.namedChildren) {
    if (child.endPosition.row < line || child.startPosition.row > line) continue;
    const name = /^(?:function|class)_definition$/.test(child.type) ? child.childForFieldName('name') : null;
    if (name?.startPosition.row === line && name.startPosition.column === character) return child;
    const inner = findDefinition(child, { line, character });
    if (inner) return inner;
  }
  return null;
}
