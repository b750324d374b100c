/** Parts that statements about jobs share. */
import type { Holder } from '../../jobs/jobStore.ts';
import { jsonColumn } from '../statements.ts';

/** The columns of a `Job`. */
export const JOB_COLUMNS = `
  id, endpoint, state, created, started, finished, worker, attempt, retries, webhook, error, ${jsonColumn('output')}`;

/** WHERE clause that matches a job's holder. Its values, from `holderOf`, come last. */
export const IS_HELD = `id = ? AND endpoint = ? AND state = 'IN_PROGRESS' AND worker = ? AND attempt = coalesce(?, attempt)`;

export function holderOf(id: string, { endpoint, worker, attempt }: Holder) {
  return [id, endpoint, worker, attempt] as const;
}
