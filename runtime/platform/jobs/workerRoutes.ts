/**
 * The routes of the worker protocol, and of parts for the toolkit's own worker. Each token is valid for the
 * routes of one worker.
 */
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { JOBS_UNKNOWN } from '../../contract/workerProtocol.ts';
import type { Exchange } from '../http/exchange.ts';
import { goneSignal } from '../http/goneSignal.ts';
import type { Routes } from '../http/routes.ts';
import { renewLeases } from './renewLeases.ts';
import { finishJobs } from './resultBatch.ts';
import { finishJob, keepChunk } from './resultRoutes.ts';
import { sendPart } from './sendPart.ts';
import { take } from './takeRoute.ts';
import { authorized, type WorkerRoutesContext } from './workerRequest.ts';

export function addWorkerRoutes(routes: Routes, context: WorkerRoutesContext): void {
  const { workers, stops } = context;
  const taking = (batch: boolean) => (http: Exchange) => {
    const worker = authorized(context, http);
    // The first take shows that a worker of any kind is ready.
    if (worker.state === 'starting') workers.setState(worker, 'ready');
    if (http.query('job_in_progress') === '0') stops.hasStoppedAll(worker.id);
    return take(context, http, worker, batch);
  };
  routes.add(['GET'], '/v2/:endpoint/job-take/:worker', taking(false));
  routes.add(['GET'], '/v2/:endpoint/job-take-batch/:worker', taking(true));

  routes.add(['POST'], '/v2/:endpoint/job-done/:worker/:job', (http) => finishJob(context, http));
  routes.add(['POST'], '/v2/:endpoint/job-done-batch/:worker', (http) => finishJobs(context, http));
  routes.add(['POST'], '/v2/:endpoint/job-stream/:worker/:job', (http) => keepChunk(context, http));

  routes.add(['GET'], '/v2/:endpoint/ping/:worker', async (http) => {
    const worker = authorized(context, http);
    const text = http.query('job_id') ?? '';
    const isUnknown = http.query(JOBS_UNKNOWN.parameter) === JOBS_UNKNOWN.value;
    const ids = isUnknown ? null : text === '' ? [] : text.split(',');
    await renewLeases(context, worker, ids);
    if (http.query('status') === 'unhealthy') {
      const reason =
        http.query('reason') ?? http.query('check') ?? 'The worker reports that it is unhealthy.';
      const { lines, listens } = worker;
      workers.report(worker, { state: 'unhealthy', reason, lines, listens });
    }
    http.sendJson('{}');
  });

  routes.add(['GET'], '/v2/:endpoint/job-stop/:worker', async (http) => {
    const worker = authorized(context, http);
    const ids = await stops.poll(worker.id, WORKER_LIMITS.takeWait, goneSignal(http.response));
    if (ids.length > 0) http.sendJson(JSON.stringify({ jobsToStop: ids }));
    else http.sendNothing();
  });

  routes.add(['GET', 'HEAD'], '/v2/:endpoint/worker/:worker/parts/:content', (http) =>
    sendPart(context, http),
  );
}
