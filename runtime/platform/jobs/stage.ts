/** The progress of a live endpoint's job, for clients of `toolkit dev`. */
import type { JobStage } from '../../contract/job.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { Workers } from '../workers/workers.ts';
import type { Job } from './jobStore.ts';

/**
 * Null for a job that has ended. Also null for jobs of deployed endpoints: their bodies follow the platform
 * protocol.
 */
export function stageOf(
  { state, finished }: Job,
  endpoint: DeployedEndpoint,
  workers: Workers,
): JobStage | null {
  if (endpoint.run === null || finished !== null) return null;
  if (state === 'IN_PROGRESS') return 'running';
  const serving = workers.serving(endpoint);
  // A busy worker takes the job next.
  if (serving.length === 0 || serving.some((worker) => worker.state === 'ready')) return 'queued';
  if (serving.some(({ importing }) => importing)) return 'importing';
  return serving.some((worker) => worker.state === 'starting') ? 'starting worker' : 'queued';
}
