/** An import statement → its names: what is imported and what is bound. */

import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { values } from './readExpression.ts';

/** One item of an import statement. */
interface ImportedName {
  /** The module's own name for what a `from` import takes; null for a plain import, and for a star. */
  written: SyntaxNode | null;
  /** After `as`. */
  alias: SyntaxNode | null;
  /** What the statement binds: the alias, the name, or only `a` for `import a.b`. */
  bound: SyntaxNode | null;
}

/** Of an `import_statement` or an `import_from_statement`. */
export function importedNames(node: SyntaxNode): ImportedName[] {
  const module = node.childForFieldName('module_name');
  return values(node)
    .filter(({ startIndex }) => startIndex !== module?.startIndex)
    .map((item): ImportedName => {
      const isAliased = item.type === 'aliased_import';
      const name = isAliased ? item.childForFieldName('name') : item;
      const alias = isAliased ? item.childForFieldName('alias') : null;
      const first = (name && values(name)[0]) ?? null;
      return { written: module ? first : null, alias, bound: alias ?? (isAliased ? null : first) };
    });
}
