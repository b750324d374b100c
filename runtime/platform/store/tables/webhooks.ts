/** The webhooks that are to be told of ended jobs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WebhookRow } from '../rows.ts';
import { jsonColumn, rows } from '../statements.ts';
import { JOB_COLUMNS } from './jobRow.ts';

export class WebhookRows {
  readonly #next: StatementSync;
  readonly #tried: StatementSync;

  constructor(database: DatabaseSync) {
    this.#next = database.prepare(`
      SELECT ${JOB_COLUMNS}, webhook_tries, webhook_due,
        (SELECT ${jsonColumn('input')} FROM job_inputs WHERE job_inputs.seq = jobs.seq) AS input
      FROM jobs WHERE webhook_due IS NOT NULL ORDER BY webhook_due LIMIT ?`);
    // Of a job that was retried meanwhile nothing is due.
    this.#tried = database.prepare(
      'UPDATE jobs SET webhook_tries = ?, webhook_due = ? WHERE id = ? AND webhook_due IS NOT NULL',
    );
  }

  /** Ended jobs whose webhooks are to be told, the next first. */
  next(most: number): WebhookRow[] {
    return rows(this.#next, most);
  }

  /** Notes a try; `due` of the next one, null when there is none. */
  tried(id: string, tries: number, due: number | null): void {
    this.#tried.run(tries, due, id);
  }
}
