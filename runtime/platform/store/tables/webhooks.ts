/** The webhooks that are to be called for ended jobs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DueWebhook, WebhookRow } from '../rows.ts';
import { first, jsonColumn, rows } from '../statements.ts';
import { JOB_COLUMNS } from './jobRow.ts';

export class WebhookRows {
  readonly #next: StatementSync;
  readonly #read: StatementSync;
  readonly #tried: StatementSync;

  constructor(database: DatabaseSync) {
    this.#next = database.prepare(
      'SELECT id, webhook_due FROM jobs WHERE webhook_due IS NOT NULL ORDER BY webhook_due LIMIT ?',
    );
    this.#read = database.prepare(`
      SELECT ${JOB_COLUMNS}, webhook_tries,
        coalesce(input, (SELECT ${jsonColumn('input')} FROM job_inputs WHERE job_inputs.seq = jobs.seq)) AS input
      FROM jobs WHERE id = ? AND webhook_due IS NOT NULL`);
    // A job that was retried meanwhile may have ended again, and its webhook be due again.
    this.#tried = database.prepare(
      'UPDATE jobs SET webhook_tries = ?, webhook_due = ? WHERE id = ? AND finished = ? AND webhook_due IS NOT NULL',
    );
  }

  /** The webhooks that are to be called next, the first one first; without texts, which may be large. */
  next(most: number): DueWebhook[] {
    return rows(this.#next, most);
  }

  /** One of them with what it is called with; null when it is no longer due. */
  read(id: string): WebhookRow | null {
    return first(this.#read.get(id));
  }

  /** Notes a try for the end of a job at `finished`; `due` of the next one, null when there is none. */
  tried(id: string, finished: number | null, tries: number, due: number | null): void {
    this.#tried.run(tries, due, id, finished);
  }
}
