/** The account's keys, by hash. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyRow } from '../rows.ts';
import { named, rows, upsert } from '../statements.ts';

const COLUMNS = ['id', 'hash', 'scope', 'name', 'endpoints', 'app', 'environment', 'created', 'run'];

export class KeyRows {
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT * FROM keys ORDER BY created');
    this.#put = upsert(database, 'keys', COLUMNS);
    this.#delete = database.prepare('DELETE FROM keys WHERE id = ?');
  }

  all(): KeyRow[] {
    return rows(this.#all);
  }

  put(key: KeyRow): void {
    this.#put.run(named(key));
  }

  delete(id: string): void {
    this.#delete.run(id);
  }
}
