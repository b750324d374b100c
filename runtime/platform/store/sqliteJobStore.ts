/** The store's two doors to jobs as the one that the platform knows. */
import type { JobStore } from '../jobs/jobStore.ts';
import type { RemoteDoors } from './doors.ts';

export function sqliteJobStore(jobs: RemoteDoors['jobs'], ends: RemoteDoors['jobEnds']): JobStore {
  return {
    submit: (added) => jobs.submit(added),
    claim: (claim) => jobs.claim(claim),
    find: (endpoint, id) => jobs.find(endpoint, id),
    enter: (job, start) => jobs.enter(job, start),
    renew: (endpoint, worker, ids, lease) => jobs.renew(endpoint, worker, ids, lease),
    progress: (id, holder, output, lease) => jobs.progress(id, holder, output, lease),
    chunk: (id, holder, output, lease) => jobs.chunk(id, holder, output, lease),
    drainChunks: (id) => jobs.drainChunks(id),
    finish: (results) => ends.finish(results),
    cancel: (endpoint, id) => ends.cancel(endpoint, id),
    purge: (endpoint) => ends.purge(endpoint),
    retry: (endpoint, id) => ends.retry(endpoint, id),
    lose: (loss) => ends.lose(loss),
    expire: () => ends.expire(),
    drop: (endpoint) => ends.drop(endpoint),
    resume: (lease) => jobs.resume(lease),
  };
}
