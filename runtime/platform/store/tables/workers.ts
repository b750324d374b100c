/** The workers that were started, so that a restart finds them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WorkerRow } from '../rows.ts';
import { named, rows, upsert } from '../statements.ts';

export class WorkerRows {
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT * FROM workers');
    this.#put = upsert(database, 'workers', ['id', 'endpoint', 'body']);
    this.#delete = database.prepare('DELETE FROM workers WHERE id = ?');
  }

  all(): WorkerRow[] {
    return rows(this.#all);
  }

  put(row: WorkerRow): void {
    this.#put.run(named(row));
  }

  delete(id: string): void {
    this.#delete.run(id);
  }
}
