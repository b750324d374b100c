/** Statements that create or change a module's `__all__` → the strings in them, which are exported names. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { bindingsOf } from './bindings.ts';
import type { Expression } from './Expression.ts';
import type { FileFacts, Scope } from './FileFacts.ts';
import { readExpression, textOf, values } from './readExpression.ts';

const ALL = '__all__';

/** The names in one statement that creates or extends `__all__`. */
export interface ExportList {
  names: string[];
  /** Whether the names are added with `+=`; otherwise, they replace earlier names. */
  isAdded: boolean;
}

/** Reads module-level statements such as `__all__ = ["a"] + ["b"]` and `__all__ += ["c"]`. */
export function exportLists(statements: readonly SyntaxNode[], text: string): ExportList[] {
  return statements.flatMap((statement) => {
    const [node] = statement.type === 'expression_statement' ? values(statement) : [];
    const list = node && node.type !== 'call' ? exportList(node, text) : null;
    const names = list && namesOf(readExpression(list, text));
    return names ? [{ names, isAdded: node!.type === 'augmented_assignment' }] : [];
  });
}

/**
 * The names in a module's `__all__`; null if there is no `__all__`, or if a statement that changes it cannot
 * be read.
 */
export function exportedNames(lists: readonly ExportList[], { bindings }: Scope): string[] | null {
  if (lists.length === 0 || lists.length < bindingsOf(bindings, ALL).length) return null;
  return lists.slice(lists.findLastIndex(({ isAdded }) => !isAdded)).flatMap(({ names }) => names);
}

/**
 * Whether a star import of a module imports a name that the module binds. `facts` is null if the module has
 * no file.
 */
export function isExported(facts: FileFacts | null, name: string): boolean {
  return facts?.exported ? facts.exported.includes(name) : !name.startsWith('_');
}

function namesOf(read: Expression): string[] | null {
  if (read.kind === 'binary' && read.operator === '+') {
    const [left, right] = [namesOf(read.left), namesOf(read.right)];
    return left && right && [...left, ...right];
  }
  if (read.kind !== 'sequence') return null;
  const names = read.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []));
  return names.length === read.items.length ? names : null;
}

/**
 * The strings in `__all__ = ["name"]`, `__all__ += ["name"]` and `__all__.append("name")`; empty for any
 * other node.
 */
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
  return node?.type === 'identifier' && textOf(node, text) === ALL;
}
