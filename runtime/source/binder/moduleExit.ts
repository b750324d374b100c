/** Finds the statement at which a module stops on every import, so that nothing after it runs. */
import type { Range } from '../../contract/diagnostic.ts';
import { rangeOf } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import { bindingsOf } from './bindings.ts';
import { guardsOfCondition } from './condition.ts';
import type { Binding, FileFacts, Scope } from './FileFacts.ts';
import { isRun } from './reach.ts';
import { dottedPath, textOf, values } from './readExpression.ts';

const EXITS: ReadonlySet<string> = new Set(['sys.exit', 'os._exit', 'os.abort', 'exit', 'quit']);

/** A statement that stops its module, if the function that it calls has its usual meaning. */
export interface SegmentExit {
  text: string;
  range: Range;
  /** The function that it calls; empty for `raise`. */
  callee: string[];
}

/**
 * The exit of one segment. Only statements that every worker reaches count, because it is not known whether
 * other blocks run.
 */
export function segmentExit(statements: readonly SyntaxNode[], text: string): SegmentExit | null {
  for (const statement of certain(statements, text)) {
    const callee = statement.type === 'raise_statement' ? [] : exitCalled(statement, text);
    if (!callee) continue;
    return { text: textOf(statement, text).split('\n', 1)[0]!.trim(), range: rangeOf(statement), callee };
  }
  return null;
}

/** The first exit of a module that calls Python's own function. */
export function moduleExit(exits: readonly (SegmentExit | null)[], module: Scope): FileFacts['exit'] {
  const found = exits.find((exit) => exit !== null && isPythons(exit.callee, module));
  return found ? { text: found.text, range: found.range } : null;
}

/** The path of the called function, if it is in `EXITS`. */
function exitCalled(statement: SyntaxNode, text: string): string[] | null {
  const call = statement.type === 'expression_statement' ? values(statement)[0] : undefined;
  const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
  const path = callee && dottedPath(callee, text);
  return path && EXITS.has(path.join('.')) ? path : null;
}

/** Whether nothing in the module gives the callee's first name another meaning. */
function isPythons([first, ...rest]: readonly string[], { bindings, stars }: Scope): boolean {
  if (first === undefined) return true;
  const bound = bindingsOf(bindings, first);
  // `sys.path.append(...)` changes sys, but not its functions.
  if (rest.length > 0)
    return bound.every(
      (one) => one.kind === 'changed' || (one.kind === 'module' && one.target.module === first),
    );
  const isSame = (one: Binding) => one.kind === 'member' && one.target.module === 'sys' && one.name === first;
  return stars.length === 0 && bound.every(isSame);
}

/** The statements, with each `if` whose condition is true on every worker replaced by its statements. */
function certain(statements: readonly SyntaxNode[], text: string): SyntaxNode[] {
  return statements.flatMap((statement) => {
    const condition = statement.type === 'if_statement' ? statement.childForFieldName('condition') : null;
    const block = condition && statement.childForFieldName('consequence');
    if (!block) return [statement];
    const { first, others } = guardsOfCondition(condition, text);
    return first === null && !isRun(others) ? certain(values(block), text) : [];
  });
}
