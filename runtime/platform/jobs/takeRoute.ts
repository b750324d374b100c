/** Takes: a worker's long poll is answered with jobs, or with nothing after a while. */
import type { Context } from 'koa';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Worker } from '../workers/worker.ts';
import type { LiveJob, Taker } from './endpointQueue.ts';
import type { Jobs } from './jobs.ts';
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
  const endpointId = worker.target.id;
  const count = batch ? Math.min(LARGEST_BATCH, Math.max(1, Number(http.query['batch_size'] ?? 1) || 1)) : 1;
  const given = await new Promise<LiveJob[]>((resolve) => {
    const settle = (taken: LiveJob[]) => {
      clearTimeout(timer);
      jobs.withdraw(endpointId, taker);
      resolve(taken);
    };
    const taker: Taker = { workerId: worker.id, count, open: () => !http.res.closed, give: settle };
    const timer = setTimeout(() => settle([]), WORKER_LIMITS.takeWait);
    http.res.once('close', () => settle([]));
    jobs.offer(endpointId, taker);
  });
  context.workers.heard(worker);
  if (given.length === 0) {
    http.status = 204;
    return;
  }
  context.workers.worked(worker);
  const attempts = given.map((job) => job.attempt);
  const release = () => given.forEach((job, index) => jobs.release(job, attempts[index]!));
  // A socket that closes before the answer is written got nothing: the jobs go to another worker at once.
  http.res.once('close', () => {
    if (!http.res.writableFinished) release();
  });
  try {
    const bodies = await Promise.all(given.map((job) => takenBody(jobs, job)));
    http.type = 'application/json';
    http.body = batch ? `[${bodies.join(',')}]` : bodies[0];
  } catch (error) {
    release();
    throw error;
  }
}

async function takenBody(jobs: Jobs, job: LiveJob): Promise<string> {
  const policy =
    job.execution_timeout === null ? '' : `,"policy":{"executionTimeout":${job.execution_timeout}}`;
  return `{"id":${JSON.stringify(job.id)},"input":${await jobs.input(job)},"attempt":${job.attempt}${policy}}`;
}
