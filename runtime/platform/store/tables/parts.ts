/** The parts that were uploaded: dependencies and code, by content. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PartRow } from '../rows.ts';
import { named, rows, upsert } from '../statements.ts';

export class PartRows {
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT * FROM parts');
    this.#put = upsert(database, 'parts', ['content', 'sha256', 'size', 'stored']);
    this.#delete = database.prepare('DELETE FROM parts WHERE content = ?');
  }

  all(): PartRow[] {
    return rows(this.#all);
  }

  put(row: PartRow): void {
    this.#put.run(named(row));
  }

  delete(content: string): void {
    this.#delete.run(content);
  }
}
