/** Combines the store's two doors to jobs into the `JobStore` that the platform uses. */
import type { JobStore } from '../jobs/jobStore.ts';
import type { RemoteDoors } from './doors.ts';
import { columnsOf } from './jobColumns.ts';

export function sqliteJobStore(jobs: RemoteDoors['jobs'], ends: RemoteDoors['jobEnds']): JobStore {
  const { claim, enter, find, renew, progress, chunk, drainChunks, resume } = jobs;
  const { finish, cancel, purge, retry, requeue, expire, drop } = ends;
  const held = { claim, enter, find, renew, progress, chunk, drainChunks, resume };
  const ended = { finish, cancel, purge, retry, requeue, expire, drop };
  return { ...held, ...ended, submit: (added) => jobs.submit(columnsOf(added)) };
}
