/** The text of a TOML file → the value at a path, as an expression with ranges, and the file's comments. */
import type { AST } from 'toml-eslint-parser';
import type { Range } from '../../contract/diagnostic.ts';
import type { Expression } from './Expression.ts';
import { type IgnoreComment, ignoreComment } from './ignoreComments.ts';

type Table = Extract<Expression, { kind: 'dict' }>;

export interface TomlFacts {
  /** Null if there is nothing at the path. */
  value: Expression | null;
  ignores: IgnoreComment[];
}

/**
 * Reads the value at `path`. A table that is opened by a heading has the range of the heading.
 *
 * @throws SyntaxError when the text is not valid TOML.
 */
export async function readToml(text: string, path: readonly string[]): Promise<TomlFacts> {
  // Loaded on demand: few projects have endpoints in TOML, and the parser costs 10 ms.
  const { parseTOML } = await import('toml-eslint-parser');
  const program = parseTOML(text, { tomlVersion: '1.0' });
  const root: Table = { kind: 'dict', entries: [], range: rangeOf(program.loc) };
  for (const item of program.body[0].body) {
    if (item.type === 'TOMLKeyValue') addPair(root, item);
    else for (const pair of openTable(root, item)) addPair(pair.table, pair.item);
  }
  let value: Expression | null = root;
  for (const name of path) value = value?.kind === 'dict' ? entryOf(value, name) : null;
  return {
    value,
    ignores: program.comments.flatMap(({ value: comment, loc }) =>
      ignoreComment(comment, loc.start.line - 1),
    ),
  };
}

/** Finds or creates the table of a heading, and returns the pairs below it. */
function openTable(root: Table, { key, kind, loc, body }: AST.TOMLTable) {
  const brackets = kind === 'array' ? 2 : 1;
  const heading = rangeOf({
    start: loc.start,
    end: { line: key.loc.end.line, column: key.loc.end.column + brackets },
  });
  let table = root;
  for (const [at, part] of key.keys.entries()) {
    const last = at === key.keys.length - 1;
    table = descend(table, nameOf(part), rangeOf(part.loc), heading, last && kind === 'array');
  }
  return body.map((item) => ({ table, item }));
}

/** The table of a name; for an array of tables, its last table or a new one. */
function descend(table: Table, name: string, nameRange: Range, range: Range, adds: boolean): Table {
  const made: Table = { kind: 'dict', entries: [], range };
  const known = entryOf(table, name);
  if (known?.kind === 'dict') return known;
  if (known?.kind === 'sequence') {
    const last = known.items.at(-1);
    if (!adds && last?.kind === 'dict') return last;
    known.items.push(made);
    return made;
  }
  const value: Expression = adds ? { kind: 'sequence', type: 'list', items: [made], range } : made;
  table.entries.push({ key: text(name, nameRange), value });
  return made;
}

function addPair(root: Table, { key, value }: AST.TOMLKeyValue): void {
  let table = root;
  for (const part of key.keys.slice(0, -1)) {
    table = descend(table, nameOf(part), rangeOf(part.loc), rangeOf(part.loc), false);
  }
  const last = key.keys.at(-1)!;
  table.entries.push({ key: text(nameOf(last), rangeOf(last.loc)), value: expressionOf(value) });
}

function expressionOf(node: AST.TOMLContentNode): Expression {
  const range = rangeOf(node.loc);
  if (node.type === 'TOMLArray') {
    return { kind: 'sequence', type: 'list', items: node.elements.map(expressionOf), range };
  }
  if (node.type === 'TOMLInlineTable') {
    const table: Table = { kind: 'dict', entries: [], range };
    for (const item of node.body) addPair(table, item);
    return table;
  }
  switch (node.kind) {
    case 'string':
      return text(node.value, range);
    case 'integer':
    case 'float':
      return { kind: 'number', value: Number(node.value), integer: node.kind === 'integer', range };
    case 'boolean':
      return { kind: 'boolean', value: node.value, range };
    default:
      return { kind: 'opaque', range };
  }
}

function entryOf(table: Table, name: string): Expression | null {
  const found = table.entries.find(({ key }) => key?.kind === 'string' && key.value === name);
  return found?.value ?? null;
}

function text(value: string, range: Range): Extract<Expression, { kind: 'string' }> {
  return { kind: 'string', value, contentOffset: null, range };
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

/** The parser counts lines from 1. */
function rangeOf({ start, end }: AST.SourceLocation): Range {
  return {
    start: { line: start.line - 1, character: start.column },
    end: { line: end.line - 1, character: end.column },
  };
}
