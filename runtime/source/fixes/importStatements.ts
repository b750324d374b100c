/**
 * Splits the top-level import statements of a module into parts, so that some of their names can be moved.
 */
import type { Range } from '../../contract/diagnostic.ts';
import { textOf, values } from '../binder/readExpression.ts';
import { contains, rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { SourceText } from './SourceText.ts';

/** One name of a statement. */
interface ImportItem {
  node: SyntaxNode;
  /** As written: `numpy as np`. */
  written: string;
  /** The name that it binds. */
  name: string;
  /** The comment after it, inside the parentheses. */
  comment: string | null;
}

export interface ImportStatement {
  /** Its index among the statements of the module. */
  at: number;
  node: SyntaxNode;
  /** `from x import`, with its dots; null for `import x`. */
  from: string | null;
  items: ImportItem[];
  /** Comments on separate lines inside the parentheses. */
  remarks: string[];
  /** The comment after the whole statement. */
  comment: string | null;
}

/** The statements, without star imports and imports from `__future__`. */
export function importStatements(root: SyntaxNode, source: SourceText): ImportStatement[] {
  return values(root).flatMap((node, at) => {
    if (node.type !== 'import_statement' && node.type !== 'import_from_statement') return [];
    const module = node.childForFieldName('module_name');
    const parts = values(node).filter((part) => part.startIndex !== module?.startIndex);
    if (parts.some(({ type }) => type !== 'dotted_name' && type !== 'aliased_import')) return [];
    const comments = node.namedChildren.filter(({ type }) => type === 'comment');
    const behind = (part: SyntaxNode) =>
      comments.find(({ startPosition }) => startPosition.row === part.endPosition.row);
    const items = parts.map((part, place): ImportItem => {
      const isLastOfRow = parts[place + 1]?.startPosition.row !== part.endPosition.row;
      const comment = isLastOfRow ? behind(part) : undefined;
      return {
        node: part,
        written: textOf(part, source.text),
        name: boundName(part, source.text),
        comment: comment ? textOf(comment, source.text) : null,
      };
    });
    const taken = new Set(parts.map(behind));
    const rest = /^[ \t]*(#.*?)\r?$/.exec(source.text.slice(node.endIndex, source.endOfLine(node.endIndex)));
    return [
      {
        at,
        node,
        from: module ? `from ${textOf(module, source.text)} import` : null,
        items,
        remarks: comments
          .filter((comment) => !taken.has(comment))
          .map((comment) => textOf(comment, source.text)),
        comment: rest?.[1] ?? null,
      },
    ];
  });
}

/** The names that a finding is about: one name, or all names when the range is the whole statement. */
export function itemsAt({ node, items }: ImportStatement, range: Range): ImportItem[] {
  if (!contains(rangeOf(node), range)) return [];
  const named = items.filter((item) => contains(rangeOf(item.node), range));
  return named.length > 0 ? named : items;
}

/** Writes an import of some of the names, with the comments that belong to them; one string per statement. */
export function writeImport({ from, comment }: ImportStatement, items: readonly ImportItem[]): string[] {
  const behind = comment === null ? '' : `  ${comment}`;
  if (from === null) return items.map(({ written }) => `import ${written}${behind}`);
  if (items.every((item) => item.comment === null)) {
    return [`${from} ${items.map(({ written }) => written).join(', ')}${behind}`];
  }
  const lines = items.map(
    (item) => `    ${item.written},${item.comment === null ? '' : `  ${item.comment}`}`,
  );
  return [[`${from} (`, ...lines, `)${behind}`].join('\n')];
}

/** `import a.b` binds `a`. */
function boundName(node: SyntaxNode, text: string): string {
  const alias = node.type === 'aliased_import' ? node.childForFieldName('alias') : null;
  return textOf(alias ?? node, text)
    .split('.', 1)[0]!
    .trim();
}
