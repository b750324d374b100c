/** The bodies of the client API, from the rows of the store. */
import { type JobStage, type JobState, TERMINAL_STATES } from '../../contract/job.ts';
import type { Job } from './jobStore.ts';

function isTerminal(state: JobState): boolean {
  return TERMINAL_STATES.includes(state);
}

/** The current body of a job as JSON text; output and input are stored as JSON text and not parsed again. */
export function jobBody(job: Job, stage: JobStage | null = null): string {
  if (!isTerminal(job.state)) return pendingBody(job, stage);
  const ended = job.finished ?? job.created;
  const fields = [
    `"id":${JSON.stringify(job.id)}`,
    `"status":"${job.state}"`,
    `"delayTime":${Math.max(0, (job.started ?? ended) - job.created)}`,
    `"executionTime":${job.started === null ? 0 : Math.max(0, ended - job.started)}`,
    `"workerId":${JSON.stringify(job.worker)}`,
  ];
  if (job.output !== null) fields.push(`"output":${job.output}`);
  if (job.error !== null) fields.push(`"error":${JSON.stringify(job.error)}`);
  if (job.retries > 0) fields.push(`"retries":${job.retries}`);
  return `{${fields.join(',')}}`;
}

function pendingBody(job: Job, stage: JobStage | null): string {
  const running =
    job.state === 'IN_PROGRESS' && job.started !== null
      ? { delayTime: Math.max(0, job.started - job.created), workerId: job.worker }
      : {};
  const body = JSON.stringify({
    id: job.id,
    status: job.state,
    ...(stage && { stage }),
    ...running,
    ...(job.retries > 0 ? { retries: job.retries } : {}),
  });
  return job.output === null ? body : `${body.slice(0, -1)},"output":${job.output}}`;
}
