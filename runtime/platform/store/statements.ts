/** The few forms of statements that every table uses. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** In the order of the statement's marks, or all of them by name. */
type Values = SQLInputValue[] | [Record<string, SQLInputValue>];

/** Writes a row, in place of the one with its key. */
export function upsert(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const names = columns.map((name) => `:${name}`);
  return database.prepare(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${names.join(', ')})`,
  );
}

/** The rows of a query. The driver's row type knows no columns: the text of the query is the fact. */
export function rows<Row>(statement: StatementSync, ...values: Values): Row[] {
  return statement.all(...(values as SQLInputValue[])) as Row[];
}

/** One row, null when there is none. */
export function first<Row>(row: unknown): Row | null {
  return row === undefined ? null : (row as Row);
}

/** A row as named parameters; rows are flat objects of text, numbers and nulls. */
export function named(row: object): Record<string, SQLInputValue> {
  return { ...row } as Record<string, SQLInputValue>;
}
