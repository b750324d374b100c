/** Finds the statements of a module that give a name, be it a definition's, to something else. */
import type { Range } from '../../contract/diagnostic.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { rangeOf } from './range.ts';
import { textOf, values } from './readExpression.ts';
import { readImport } from './readImport.ts';

export interface NamedPlace {
  name: string;
  range: Range;
}

/**
 * Only statements of the module itself count: in a block, running the code could tell otherwise. So it could of
 * `f = wrapped(f)`, which goes on from what f was.
 */
export function overwritingNames(
  statements: readonly SyntaxNode[],
  { text, file }: { text: string; file: string },
): NamedPlace[] {
  return statements.flatMap((statement): NamedPlace[] => {
    switch (statement.type) {
      case 'import_statement':
      case 'import_from_statement':
        return readImport(statement, text, file).bindings.map(({ name }) => ({
          name,
          range: rangeOf(statement),
        }));
      case 'delete_statement':
        return values(statement).flatMap((target) => names(target, text));
      case 'expression_statement':
        return values(statement).flatMap((assignment) => assigned(assignment, text));
      default:
        return [];
    }
  });
}

/** Of `a = b = value`, both. */
function assigned(node: SyntaxNode, text: string): NamedPlace[] {
  const targets: NamedPlace[] = [];
  let current: SyntaxNode | null = node;
  while (current?.type === 'assignment') {
    const left = current.childForFieldName('left');
    if (left) targets.push(...names(left, text));
    current = current.childForFieldName('right');
  }
  if (!current) return [];
  const used = new Set(current.descendantsOfType('identifier').map((name) => textOf(name, text)));
  return targets.filter(({ name }) => !used.has(name));
}

function names(target: SyntaxNode, text: string): NamedPlace[] {
  if (target.type === 'identifier') return [{ name: textOf(target, text), range: rangeOf(target) }];
  const isList = /^(?:pattern_list|expression_list|tuple_pattern|list_pattern|tuple)$/.test(target.type);
  return isList ? values(target).flatMap((item) => names(item, text)) : [];
}
