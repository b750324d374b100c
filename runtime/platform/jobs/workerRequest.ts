/** A worker's request: which worker sends it, and under which attempt. */
import { ToolkitError } from '../../contract/errors.ts';
import { ATTEMPT_HEADER } from '../../contract/workerProtocol.ts';
import { presentedKey } from '../auth/authorize.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Log } from '../log.ts';
import type { Parts } from '../stateManager/parts.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import type { Jobs } from './jobs.ts';
import type { StopRequests } from './stopRequests.ts';

export interface WorkerRoutesContext {
  jobs: Jobs;
  workers: Workers;
  stops: StopRequests;
  parts: Parts;
  log: Log;
}

/**
 * The worker that the token belongs to. It can use only its own routes.
 *
 * @throws ToolkitError UNAUTHORIZED.
 */
export function authorized({ workers }: WorkerRoutesContext, http: Exchange): Worker {
  const token = presentedKey(http.request);
  const worker = token === null ? null : workers.byToken(token);
  if (!worker || worker.target.id !== http.parameter('endpoint') || worker.id !== http.parameter('worker')) {
    throw new ToolkitError('UNAUTHORIZED', "This token is not valid for this worker's routes.");
  }
  workers.heard(worker);
  return worker;
}

/**
 * The attempt under which a worker holds its job; null if it sends none.
 *
 * @throws ToolkitError BAD_REQUEST if the header is not a number.
 */
export function attemptOf(http: Exchange): number | null {
  const header = http.header(ATTEMPT_HEADER);
  if (header === '') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new ToolkitError('BAD_REQUEST', `The header ${ATTEMPT_HEADER} must be a number, not "${header}".`);
}
