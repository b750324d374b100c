/** Finds the statement of a module at which every import of it ends, so that nothing after it runs. */
import type { Range } from '../../contract/diagnostic.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { guardsOfCondition } from './condition.ts';
import { isRun } from './reach.ts';
import { dottedPath, textOf, values } from './readExpression.ts';

const EXITS: ReadonlySet<string> = new Set(['sys.exit', 'os._exit', 'os.abort', 'exit', 'quit']);

/** Only statements that every worker reaches count: whether other blocks run is known only when the code runs. */
export function moduleExit(
  statements: readonly SyntaxNode[],
  text: string,
): { text: string; range: Range } | null {
  const found = certain(statements, text).find((statement) => {
    if (statement.type === 'raise_statement') return true;
    const call = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
    const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
    const path = callee && dottedPath(callee, text);
    return path !== null && path !== undefined && EXITS.has(path.join('.'));
  });
  return found ? { text: textOf(found, text).split('\n', 1)[0]!.trim(), range: rangeOf(found) } : null;
}

/** The statements themselves, and those of an `if` whose condition holds on every worker. */
function certain(statements: readonly SyntaxNode[], text: string): SyntaxNode[] {
  return statements.flatMap((statement) => {
    const condition = statement.type === 'if_statement' ? statement.childForFieldName('condition') : null;
    const block = condition && statement.childForFieldName('consequence');
    if (!block) return [statement];
    const { first, others } = guardsOfCondition(condition, text);
    return first === null && !isRun(others) ? certain(values(block), text) : [];
  });
}
