/** Which statements of an `if`, a `try` or a `with` a deployed worker does not run, or may see fail. */
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { Guard } from './FileFacts.ts';
import { textOf } from './readExpression.ts';

/** Conditions on the machine, on Python or on what is installed: which branch a worker takes is not told here. */
const ON_MACHINE =
  /\b(?:sys\.platform|sys\.implementation|(?:sys\.)?version_info|os\.name|platform\.\w+\s*\(|find_spec\s*\()/;

/** `with suppress(ImportError)`, of contextlib. */
const SUPPRESSED = /\bsuppress\s*\([^)]*\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/;

/** The guard over the first block of an `if` statement or an `elif` clause; `optional` holds for the others too. */
export function guardOfIf(node: SyntaxNode, text: string): Guard | null {
  const condition = node.childForFieldName('condition');
  if (!condition) return null;
  const whole = textOf(condition, text);
  const written = whole.replace(/[\s()]/g, '');
  if (/^(?:\w+\.)?TYPE_CHECKING$/.test(written)) return 'type-checking';
  if (/^__name__==(['"])__main__\1$|^(['"])__main__\2==__name__$/.test(written)) return 'main';
  return ON_MACHINE.test(whole) ? 'optional' : null;
}

/** The guard over the body of a `with` statement. */
export function guardOfWith(node: SyntaxNode, text: string): Guard | null {
  const items = node.namedChildren.find(({ type }) => type === 'with_clause');
  return items && SUPPRESSED.test(textOf(items, text)) ? 'optional' : null;
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
