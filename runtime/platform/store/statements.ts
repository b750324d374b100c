/** Helpers for statements that every table uses. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LONG_TEXT } from '../json/jsonText.ts';

/** A JSON column. A long value is read as bytes, without creating a string. */
export function jsonColumn(name: string): string {
  return `iif(octet_length(${name}) < ${LONG_TEXT}, ${name}, CAST(${name} AS BLOB)) AS ${name}`;
}

/** Writes a row, replacing the one with the same key. */
export function upsert(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const names = columns.map((name) => `:${name}`);
  return database.prepare(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${names.join(', ')})`,
  );
}

/** The rows of a query. The driver's row type has no columns, so the row type must match the query's text. */
export function rows<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] {
  return statement.all(...values) as Row[];
}

/** One row; null if there is none. */
export function first<Row>(row: unknown): Row | null {
  return row === undefined ? null : (row as Row);
}

/**
 * A row as named parameters, which are slower than positional ones. Rows are flat objects of text, numbers
 * and nulls.
 */
export function named(row: object): Record<string, SQLInputValue> {
  return { ...row } as Record<string, SQLInputValue>;
}
