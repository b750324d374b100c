/** Finds the statement of a module at which every import of it ends, so that what follows does not come to be. */
import type { Range } from '../../contract/diagnostic.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { dottedPath, textOf, values } from './readExpression.ts';

const EXITS: ReadonlySet<string> = new Set(['sys.exit', 'os._exit', 'os.abort', 'exit', 'quit']);

/** Only statements of the module itself count: in a block, running the code could tell otherwise. */
export function moduleExit(
  statements: readonly SyntaxNode[],
  text: string,
): { text: string; range: Range } | null {
  const found = statements.find((statement) => {
    if (statement.type === 'raise_statement') return true;
    const call = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
    const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
    const path = callee && dottedPath(callee, text);
    return path !== null && path !== undefined && EXITS.has(path.join('.'));
  });
  return found ? { text: textOf(found, text).split('\n', 1)[0]!.trim(), range: rangeOf(found) } : null;
}
