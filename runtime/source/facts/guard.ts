/** Which statements of an `if` or a `try` a deployed worker does not run, or may see fail. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Guard } from './FileFacts.ts';
import { textOf } from './readExpression.ts';

/** The guard over the first block of an `if` statement. */
export function guardOfIf(node: SyntaxNode, text: string): Guard | null {
  const condition = node.childForFieldName('condition');
  if (!condition) return null;
  const written = textOf(condition, text).replace(/[\s()]/g, '');
  if (/^(?:\w+\.)?TYPE_CHECKING$/.test(written)) return 'type-checking';
  if (/^__name__==(['"])__main__\1$|^(['"])__main__\2==__name__$/.test(written)) return 'main';
  return null;
}

/** The guard over the body of a `try` statement: imports may fail where a handler foresees it. */
export function guardOfTry(node: SyntaxNode, text: string): Guard | null {
  for (const clause of node.namedChildren) {
    if (!clause.type.startsWith('except')) continue;
    const header = textOf(clause, text).split(':', 1)[0]!;
    if (/^except\s*$|\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/.test(header))
      return 'optional';
  }
  return null;
}
