/** What the statements about jobs have in common. */
import type { Holder } from '../../jobs/jobStore.ts';
import { jsonColumn } from '../statements.ts';

/** The columns of a `Job`. */
export const JOB_COLUMNS = `
  id, endpoint, state, created, started, finished, worker, attempt, retries, webhook, error, ${jsonColumn('output')}`;

/** A job's holder, in a WHERE clause whose last values are those of `holderOf`. */
export const IS_HELD = `id = ? AND endpoint = ? AND state = 'IN_PROGRESS' AND worker = ? AND attempt = coalesce(?, attempt)`;

export function holderOf(id: string, { endpoint, worker, attempt }: Holder) {
  return [id, endpoint, worker, attempt] as const;
}
