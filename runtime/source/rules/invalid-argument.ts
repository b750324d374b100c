/** An argument of a type or range that its parameter does not take, or one that no parameter takes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Outcome } from '../index/argumentValues.ts';
import type { Declaration, TableKey } from '../index/Declaration.ts';
import { invalidOutcome } from './invalidOutcome.ts';
import { finding, type Rule } from './rule.ts';

export const invalidArgument: Rule = (index) => [
  ...index.declarations.flatMap(findingsOf),
  ...index.misplacedTables.map(({ file, range }) =>
    finding('invalid-argument', {
      file,
      range,
      message: 'tool.toolkit.endpoints is a list of tables, one for each endpoint.',
      fix: 'Begin each endpoint with the line [[tool.toolkit.endpoints]].',
    }),
  ),
];

function findingsOf(declaration: Declaration): Diagnostic[] {
  // `cpu` and `workers` have codes of their own.
  const outcomes: [TableKey, Outcome<unknown>][] = [
    ['name', declaration.name],
    ['gpu', declaration.gpu],
    ['idle_timeout', declaration.idleTimeout],
    ['dependencies', declaration.dependencies],
    ['env', declaration.env],
    ['image', declaration.image],
    ['gpu_count', declaration.gpuCount],
    ['execution_timeout', declaration.executionTimeout],
    ['max_concurrency', declaration.maxConcurrency],
    ['command', declaration.command],
    ['kind', declaration.kindGiven],
  ];
  return [
    ...outcomes.flatMap(([keyword, outcome]) =>
      invalidOutcome('invalid-argument', declaration, declaration.given[keyword], outcome),
    ),
    ...declaration.misplaced.map(({ problem, fix, range }) =>
      finding('invalid-argument', { file: declaration.file, range, message: `${problem}.`, fix }),
    ),
  ];
}
