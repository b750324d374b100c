/** The few forms of statements that every table uses. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LONG_TEXT } from '../json/jsonText.ts';

/** A column of JSON, which is read as its bytes when it is long: no string is made of it. */
export function jsonColumn(name: string): string {
  return `iif(octet_length(${name}) < ${LONG_TEXT}, ${name}, CAST(${name} AS BLOB)) AS ${name}`;
}

/** Writes a row, in place of the one with its key. */
export function upsert(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const names = columns.map((name) => `:${name}`);
  return database.prepare(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${names.join(', ')})`,
  );
}

/** The rows of a query. The driver's row type knows no columns: the text of the query is the fact. */
export function rows<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] {
  return statement.all(...values) as Row[];
}

/** One row, null when there is none. */
export function first<Row>(row: unknown): Row | null {
  return row === undefined ? null : (row as Row);
}

/** A row as named parameters, which take the driver longer than values in order. Rows are flat objects of text, numbers and nulls. */
export function named(row: object): Record<string, SQLInputValue> {
  return { ...row } as Record<string, SQLInputValue>;
}
