/**
 * Reads the body of run-batch: many jobs, each in the form of a `run` body. If one is invalid, none is
 * accepted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { JsonBody } from '../json/readJson.ts';
import type { Shape } from '../json/scanner.ts';
import { JOB_SHAPE, type JobRequest, readJob, requireUtf8 } from './jobRequest.ts';
import type { AddressPolicy } from './webhookTarget.ts';

export const BATCH_SHAPE: Shape = {
  members: new Map([['jobs', { items: JOB_SHAPE, most: JOB_LIMITS.batch + 1, apart: true }]]),
};

/** Other requests run after each turn of this many milliseconds. */
const TURN_MS = 4;

/**
 * @param allows - Which addresses webhooks can be sent to.
 * @throws ToolkitError BAD_REQUEST or FORBIDDEN naming the job by its index, as `jobs[3]: …`.
 */
export async function readJobBatch(body: JsonBody, allows: AddressPolicy): Promise<JobRequest[]> {
  requireUtf8(body);
  if (body.root.broken) throw new ToolkitError('BAD_REQUEST', 'The body is not JSON.');
  const jobs = body.root.members?.get('jobs')?.items ?? [];
  if (jobs.length === 0 || jobs.length > JOB_LIMITS.batch) {
    throw new ToolkitError(
      'BAD_REQUEST',
      `The field "jobs" must be a list of 1 to ${JOB_LIMITS.batch} jobs.`,
      {
        hint: 'Send {"jobs": [{"input": {…}}, …]}.',
      },
    );
  }
  const requests: JobRequest[] = [];
  let turn = performance.now();
  for (const [index, job] of jobs.entries()) {
    try {
      requests.push(readJob(body, job, 'The job', allows));
    } catch (error) {
      throw error instanceof ToolkitError ? at(index, error) : error;
    }
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  return requests;
}

function at(index: number, { code, message, hint }: ToolkitError): ToolkitError {
  return new ToolkitError(code, `jobs[${index}]: ${message}`, { hint });
}
