/** A file's tree and a text → the plain string literals that say it and nothing else, but for names in `__all__`. */
import type { Range } from '../../contract/diagnostic.ts';
import { exportedTexts } from '../binder/exportedTexts.ts';
import { textOf } from '../binder/readExpression.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';

/** Ranges of the literals' contents, without their quotes. Only what holds the text is entered. */
export function equalTexts(root: SyntaxNode, text: string, said: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(said); at !== -1; at = text.indexOf(said, at + said.length)) {
    const content = contentAt(root, at, at + said.length);
    if (content) found.push(rangeOf(content));
  }
  return found;

  /** What a module exports is a name of the module. */
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
