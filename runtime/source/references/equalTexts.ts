/** A file's tree and a text → the plain string literals that equal it, except names in `__all__`. */
import type { Range } from '../../contract/diagnostic.ts';
import { exportedTexts } from '../binder/exportedTexts.ts';
import { textOf } from '../binder/readExpression.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

/** Ranges of the literals' contents, without their quotes. Enters only nodes that contain the text. */
export function equalTexts(root: SyntaxNode, text: string, wanted: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const content = contentAt(root, at, at + wanted.length);
    if (content) found.push(rangeOf(content));
  }
  return found;

  /** Whether a string in `__all__` begins at an index. Such a string is a name of the module, not a text. */
  function isExported(node: SyntaxNode, start: number): boolean {
    return exportedTexts(node, text).some(({ startIndex }) => startIndex === start);
  }

  function contentAt(node: SyntaxNode, start: number, end: number): SyntaxNode | null {
    if (node.type === 'string') {
      const [opening, content, closing] = node.namedChildren;
      const isPlain = node.namedChildren.length === 3 && /^[rRuU]?['"]+$/.test(textOf(opening!, text));
      const isWhole = content?.startIndex === start && content.endIndex === end;
      return isPlain && isWhole && closing?.type === 'string_end' ? content : null;
    }
    if (isExported(node, start)) return null;
    const child = node.namedChildren.find((one) => one.startIndex <= start && one.endIndex >= end);
    return child ? contentAt(child, start, end) : null;
  }
}
