/** `[[tool.toolkit.endpoints]]` in pyproject.toml → declarations of endpoints that a command serves. */
import type { Range } from '../../contract/diagnostic.ts';
import { PROJECT_FILES } from '../../contract/names.ts';
import type { DictEntry, Expression } from '../binder/Expression.ts';
import type { Outcome } from './argumentValues.ts';
import type { Constant } from './Constant.ts';
import { type Declaration, type GivenArgument, TABLE_KEYS } from './Declaration.ts';
import { readArguments } from './readDeclaration.ts';
import { readCommand, readKind } from './tableValues.ts';

/** Path of the tables in pyproject.toml. */
export const TABLES_PATH = ['tool', 'toolkit', 'endpoints'] as const;

/** A value where a list of tables should be. */
export interface MisplacedTable {
  file: string;
  range: Range;
}

/** The declarations in pyproject.toml. */
export interface Tables {
  declarations: Declaration[];
  misplaced: MisplacedTable[];
}

/** Reads the value at `TABLES_PATH`. */
export function tableDeclarations(value: Expression): Tables {
  const file = PROJECT_FILES.pyproject;
  const declarations: Declaration[] = [];
  const misplaced: MisplacedTable[] = [];
  for (const item of value.kind === 'sequence' ? value.items : [value]) {
    if (item.kind === 'dict' && item !== value) declarations.push(declarationOf(item.entries, item.range));
    else misplaced.push({ file, range: item.range });
  }
  return { declarations, misplaced };
}

function declarationOf(entries: readonly DictEntry[], heading: Range): Declaration {
  const given: Declaration['given'] = {};
  const unknown: GivenArgument[] = [];
  for (const { key, value } of entries) {
    if (key?.kind !== 'string') continue;
    const argument: GivenArgument = {
      keyword: key.value,
      keywordRange: key.range,
      expression: value,
      constant: literal(value),
    };
    const known = TABLE_KEYS.find((name) => name === key.value);
    if (known) given[known] = argument;
    else unknown.push(argument);
  }
  const absent = { state: 'absent' } as const;
  const kindGiven = given.kind ? readKind(given.kind.constant) : absent;
  return {
    file: PROJECT_FILES.pyproject,
    call: { callee: ['Endpoint'], calleeRange: heading, arguments: [], range: heading },
    scope: 0,
    guard: null,
    form: 'table',
    kind: kindGiven.state === 'known' ? kindGiven.value : 'queue',
    given,
    unknown,
    misplaced: [],
    open: [],
    ...readArguments(given, 'toml', false),
    command: given.command ? readCommand(given.command.constant) : missingCommand,
    kindGiven,
    served: [],
    routes: [],
  };
}

const missingCommand: Outcome<string[]> = {
  state: 'invalid',
  problem: 'An endpoint in pyproject.toml needs a command that starts its worker',
  fix: 'For example: command = ["./server", "--verbose"].',
};

function literal(expression: Expression): Constant {
  switch (expression.kind) {
    case 'string':
    case 'boolean':
      return { type: expression.kind, value: expression.value } as Constant;
    case 'number':
      return { type: expression.integer ? 'integer' : 'float', value: expression.value };
    case 'sequence':
      return { type: 'list', items: expression.items.map(literal) };
    case 'dict':
      return {
        type: 'dict',
        entries: expression.entries.map(({ key, value }) => ({
          key: key ? literal(key) : NO_ARGUMENT,
          value: literal(value),
        })),
      };
    default:
      return NO_ARGUMENT;
  }
}

/** Represents a date. No argument accepts a date, and none accepts a set. */
const NO_ARGUMENT: Constant = { type: 'set', items: [] };
