/** Facts about the platform itself: its secret, its port, its address. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { rows } from '../statements.ts';

export class Facts {
  readonly #all: StatementSync;
  readonly #put: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT * FROM facts');
    this.#put = database.prepare(
      'INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
  }

  all(): { name: string; value: string }[] {
    return rows(this.#all);
  }

  put(name: string, value: string): void {
    this.#put.run(name, value);
  }
}
