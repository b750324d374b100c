/** A statement that creates or changes a module's `__all__` → the strings in it, which are exported names. */

import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { textOf } from './readExpression.ts';

/** Strings of `__all__ = ["name"]`, `__all__ += ["name"]` and `__all__.append("name")`; empty for any other node. */
export function exportedTexts(node: SyntaxNode, text: string): readonly SyntaxNode[] {
  return exportList(node, text)?.descendantsOfType('string_content') ?? [];
}

function exportList(node: SyntaxNode, text: string): SyntaxNode | null {
  if (node.type === 'assignment' || node.type === 'augmented_assignment') {
    return isAll(node.childForFieldName('left'), text) ? node.childForFieldName('right') : null;
  }
  const callee = node.type === 'call' ? node.childForFieldName('function') : null;
  const object = callee?.type === 'attribute' ? callee.childForFieldName('object') : null;
  return isAll(object, text) ? node.childForFieldName('arguments') : null;
}

function isAll(node: SyntaxNode | null, text: string): boolean {
  return node?.type === 'identifier' && textOf(node, text) === '__all__';
}
