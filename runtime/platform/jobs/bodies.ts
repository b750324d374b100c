/**
 * The bodies of the client API, made from the rows of the store. Outputs are passed on exactly as they were
 * sent.
 */
import { type JobStage, type JobState, TERMINAL_STATES } from '../../contract/job.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { Job } from './jobStore.ts';

function isTerminal(state: JobState): boolean {
  return TERMINAL_STATES.includes(state);
}

/** The body of a job's current state, in pieces. */
export function jobBody(job: Job, stage: JobStage | null = null): JsonText[] {
  return ['{', ...jobMembers(job, stage), '}'];
}

/** The content between the braces of the body. */
export function jobMembers(job: Job, stage: JobStage | null = null): JsonText[] {
  if (!isTerminal(job.state)) return pendingMembers(job, stage);
  const ended = job.finished ?? job.created;
  const head = [
    `"id":${JSON.stringify(job.id)}`,
    `"status":"${job.state}"`,
    `"delayTime":${Math.max(0, (job.started ?? ended) - job.created)}`,
    `"executionTime":${job.started === null ? 0 : Math.max(0, ended - job.started)}`,
    `"workerId":${JSON.stringify(job.worker)}`,
  ].join(',');
  const error = job.error === null ? '' : `,"error":${JSON.stringify(job.error)}`;
  const retries = job.retries > 0 ? `,"retries":${job.retries}` : '';
  return [head, ...outputMember(job), `${error}${retries}`];
}

function pendingMembers(job: Job, stage: JobStage | null): JsonText[] {
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
  return [body.slice(1, -1), ...outputMember(job)];
}

function outputMember({ output }: Job): JsonText[] {
  return output === null ? [] : [',"output":', output];
}
