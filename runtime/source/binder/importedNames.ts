/** An import statement → the names that it imports and the names that it binds. */

import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { values } from './readExpression.ts';

/** One item of an import statement. */
interface ImportedName {
  /** The name in the module that a `from` import takes; null for `import module` and for a star import. */
  written: SyntaxNode | null;
  /** After `as`. */
  alias: SyntaxNode | null;
  /** The name that the statement binds: the alias, the name, or only `a` for `import a.b`. */
  bound: SyntaxNode | null;
}

/** The names of an `import_statement` or an `import_from_statement`. */
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
