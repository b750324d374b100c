/** The deployed builds, by environment. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { BuildRow, BuildSummaryRow } from '../rows.ts';
import { rows } from '../statements.ts';

export class Builds {
  readonly #all: StatementSync;
  readonly #history: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT * FROM builds ORDER BY app, environment, number');
    this.#history = database.prepare(`
      SELECT number, created, (
        SELECT json_group_array(name) FROM (
          SELECT json_extract(value, '$.name') AS name FROM json_each(builds.spec) ORDER BY name
        )
      ) AS endpoints FROM builds WHERE app = ? AND environment = ? ORDER BY number DESC`);
  }

  /** Oldest first within an environment. */
  all(): BuildRow[] {
    return rows(this.#all);
  }

  /** The builds of one environment, newest first. */
  history(app: string, environment: string): BuildSummaryRow[] {
    return rows(this.#history, app, environment);
  }
}
