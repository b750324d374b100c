/** The webhooks of ended jobs that were not called yet. */
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
    // The job may have been retried and ended again in the meantime, so that its webhook is due again.
    this.#tried = database.prepare(
      'UPDATE jobs SET webhook_tries = ?, webhook_due = ? WHERE id = ? AND finished = ? AND webhook_due IS NOT NULL',
    );
  }

  /** The webhooks that are due next, earliest first. Without texts, which can be large. */
  next(most: number): DueWebhook[] {
    return rows(this.#next, most);
  }

  /** A webhook with the texts that it is called with; null if it is no longer due. */
  read(id: string): WebhookRow | null {
    return first(this.#read.get(id));
  }

  /**
   * Records a try for the end of a job at `finished`. `due` is the time of the next try; null if there is
   * none.
   */
  tried(id: string, finished: number | null, tries: number, due: number | null): void {
    this.#tried.run(tries, due, id, finished);
  }
}
