/** Responds to a worker's long poll with jobs, or with nothing after a while. */
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonText } from '../json/jsonText.ts';
import type { Worker } from '../workers/worker.ts';
import type { ClaimedJob } from './jobStore.ts';
import type { Taker } from './takers.ts';
import type { WorkerRoutesContext } from './workerRequest.ts';

/** Responds with one job, or with a list of up to `batch_size`; 204 if there was none. */
export async function take(
  context: WorkerRoutesContext,
  http: Exchange,
  worker: Worker,
  batch: boolean,
): Promise<void> {
  const { takers } = context.jobs;
  const endpointId = worker.target.id;
  const count = batch ? batchSize(http) : 1;
  const given = await new Promise<ClaimedJob[]>((resolve) => {
    let isSettled = false;
    const settle = (taken: ClaimedJob[]) => {
      isSettled = true;
      clearTimeout(timer);
      takers.withdraw(endpointId, taker);
      resolve(taken);
    };
    const taker: Taker = {
      workerId: worker.id,
      count,
      open: () => !isSettled && !http.response.destroyed,
      give: settle,
    };
    const timer = setTimeout(() => settle([]), WORKER_LIMITS.takeWait);
    http.response.once('close', () => settle([]));
    worker.polls += 1;
    takers.offer(endpointId, taker);
  });
  worker.polls -= 1;
  context.workers.heard(worker);
  if (given.length === 0) return http.sendNothing();
  context.workers.worked(worker);
  // If the socket closes before the response was written, the worker got nothing. The jobs go to another worker
  // at once.
  http.response.once('close', () => {
    if (!http.response.writableFinished) takers.requeue(endpointId, worker.id, given);
  });
  const bodies = given.flatMap(takenBody);
  if (batch) http.sendJson('[', ...bodies, ']');
  else http.sendJson(...bodies);
}

function batchSize(http: Exchange): number {
  const asked = Math.trunc(Number(http.query('batch_size'))) || 1;
  return Math.min(WORKER_LIMITS.batch, Math.max(1, asked));
}

function takenBody({ id, input, attempt, executionTimeout }: ClaimedJob, index: number): JsonText[] {
  const policy = executionTimeout === null ? '' : `,"policy":{"executionTimeout":${executionTimeout}}`;
  const comma = index === 0 ? '' : ',';
  return [`${comma}{"id":${JSON.stringify(id)},"input":`, input, `,"attempt":${attempt}${policy}}`];
}
