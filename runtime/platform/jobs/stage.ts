/** How far a live endpoint's job is, for those who wait for it in `toolkit dev`. */
import type { JobStage } from '../../contract/job.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { Workers } from '../workers/workers.ts';
import type { Job } from './jobStore.ts';

/** Null for a job that has ended, and for those of deployed endpoints: their bodies stay as clients know them. */
export function stageOf(
  { state, finished }: Job,
  endpoint: DeployedEndpoint,
  workers: Workers,
): JobStage | null {
  if (endpoint.run === null || finished !== null) return null;
  if (state === 'IN_PROGRESS') return 'running';
  const serving = workers.serving(endpoint);
  // One that is busy takes the job next.
  if (serving.length === 0 || serving.some((worker) => worker.state === 'ready')) return 'queued';
  if (serving.some(({ importing }) => importing)) return 'importing';
  return serving.some((worker) => worker.state === 'starting') ? 'starting worker' : 'queued';
}
