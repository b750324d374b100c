/** An argument of a type or range that its parameter does not take, or one that no parameter takes. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { type Declaration, outcomesOf, TABLE_KEYS } from '../declarations/Declaration.ts';
import { finding, type Rule } from './Finding.ts';
import { invalidOutcome } from './invalidOutcome.ts';

/** The others have codes of their own. */
const KEYS = TABLE_KEYS.filter((key) => key !== 'cpu' && key !== 'workers');

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
  const outcomes = outcomesOf(declaration);
  return [
    ...KEYS.flatMap((key) =>
      invalidOutcome('invalid-argument', declaration, declaration.given[key], outcomes[key]),
    ),
    ...declaration.misplaced.map(({ problem, fix, range }) =>
      finding('invalid-argument', { file: declaration.file, range, message: `${problem}.`, fix }),
    ),
  ];
}
