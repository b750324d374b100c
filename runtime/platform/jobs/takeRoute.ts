/** Takes: a worker's long poll is answered with jobs, or with nothing after a while. */
import type { Context } from 'koa';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Worker } from '../workers/worker.ts';
import type { ClaimedJob } from './jobStore.ts';
import type { Taker } from './takers.ts';
import type { WorkerRoutesContext } from './workerRequest.ts';

const LARGEST_BATCH = 1_000;

/** Answers one job, or a list of up to `batch_size`; 204 when none came. */
export async function take(
  context: WorkerRoutesContext,
  http: Context,
  worker: Worker,
  batch: boolean,
): Promise<void> {
  const { jobs } = context;
  const { takers } = jobs;
  const endpointId = worker.target.id;
  const count = batch ? Math.min(LARGEST_BATCH, Math.max(1, Number(http.query['batch_size'] ?? 1) || 1)) : 1;
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
      open: () => !isSettled && !http.res.closed,
      give: settle,
    };
    const timer = setTimeout(() => settle([]), WORKER_LIMITS.takeWait);
    http.res.once('close', () => settle([]));
    takers.offer(endpointId, taker);
  });
  context.workers.heard(worker);
  if (given.length === 0) {
    http.status = 204;
    return;
  }
  context.workers.worked(worker);
  // A socket that closes before the answer is written got nothing: the jobs go to another worker at once.
  http.res.once('close', () => {
    if (!http.res.writableFinished) jobs.release(endpointId, worker.id, given);
  });
  const bodies = given.map(takenBody);
  http.type = 'application/json';
  http.body = batch ? `[${bodies.join(',')}]` : bodies[0];
}

function takenBody({ id, input, attempt, executionTimeout }: ClaimedJob): string {
  const policy = executionTimeout === null ? '' : `,"policy":{"executionTimeout":${executionTimeout}}`;
  return `{"id":${JSON.stringify(id)},"input":${input},"attempt":${attempt}${policy}}`;
}
