/** A worker's request: who speaks, of which job, under which attempt, and what it sends. */
import type { Context } from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { ATTEMPT_HEADER } from '../../contract/workerProtocol.ts';
import { presentedKey } from '../auth/authorize.ts';
import type { Keys } from '../auth/keys.ts';
import { readBody } from '../http/readBody.ts';
import type { Log } from '../log.ts';
import type { Parts } from '../stateManager/parts.ts';
import type { NodeFacts } from '../workers/assignment.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import type { Jobs } from './jobs.ts';
import type { StopRequests } from './stopRequests.ts';

export interface WorkerRoutesContext {
  jobs: Jobs;
  workers: Workers;
  stops: StopRequests;
  parts: Parts;
  keys: Keys;
  node: NodeFacts;
  log: Log;
}

/** The whole of a result's body: the output, and room for what stands around it. */
const RESULT_BODY_BYTES = WORKER_LIMITS.resultBytes + 1_000_000;

/**
 * Who speaks: the worker of the token, on its own routes only.
 *
 * @throws ToolkitError UNAUTHORIZED.
 */
export function authorized({ workers }: WorkerRoutesContext, http: Context): Worker {
  const token = presentedKey(http.req);
  const worker = token === null ? null : workers.byToken(token);
  if (
    !worker ||
    worker.target.id !== parameter(http, 'endpoint') ||
    worker.id !== parameter(http, 'worker')
  ) {
    throw new ToolkitError('UNAUTHORIZED', "This token does not open this worker's routes.");
  }
  workers.heard(worker);
  return worker;
}

/** A JSON body, whatever Content-Type it is sent under. */
export async function resultText(http: Context): Promise<string> {
  return (await readBody(http.req, RESULT_BODY_BYTES)).toString('utf8');
}

/** The attempt under which a worker holds its job; null when it knows none. */
export function attemptOf(http: Context): number | null {
  const header = http.get(ATTEMPT_HEADER);
  return header === '' ? null : Number(header);
}

/** A part of the route's path. */
export function parameter(http: Context, name: string): string {
  return String(http['params'][name]);
}
