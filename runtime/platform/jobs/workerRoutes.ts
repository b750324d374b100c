/** The worker protocol's routes, and what our own worker asks beside. A token opens one worker's routes. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { JOBS_UNKNOWN } from '../../contract/workerProtocol.ts';
import { goneSignal } from '../http/goneSignal.ts';
import { parseJson } from '../http/readBody.ts';
import { assignmentOf } from '../workers/assignment.ts';
import { finishJob, keepChunk } from './resultRoutes.ts';
import { sendPart } from './sendPart.ts';
import { take } from './takeRoute.ts';
import { authorized, resultText, type WorkerRoutesContext } from './workerRequest.ts';

const reportSchema = z.object({
  state: z.enum(['starting', 'importing', 'ready', 'unhealthy']),
  reason: z.nullable(z.string()),
  lines: z.array(z.string()),
});

export function mountWorkerRoutes(router: Router, context: WorkerRoutesContext): void {
  const { jobs, workers, stops, log } = context;
  const taking = (batch: boolean) => (http: Context) => {
    const worker = authorized(context, http);
    if (worker.state === 'starting') workers.setState(worker, 'ready');
    if (http.query['job_in_progress'] === '0') stops.hasStoppedAll(worker.id);
    return take(context, http, worker, batch);
  };
  router.get('/v2/:endpoint/job-take/:worker', taking(false));
  router.get('/v2/:endpoint/job-take-batch/:worker', taking(true));

  router.post('/v2/:endpoint/job-done/:worker/:job', (http) => finishJob(context, http));
  router.post('/v2/:endpoint/job-stream/:worker/:job', (http) => keepChunk(context, http));

  router.get('/v2/:endpoint/ping/:worker', async (http) => {
    const worker = authorized(context, http);
    const text = String(http.query['job_id'] ?? '');
    const isUnknown = http.query[JOBS_UNKNOWN.parameter] === JOBS_UNKNOWN.value;
    const ids = isUnknown ? null : text === '' ? [] : text.split(',');
    if (ids) await jobs.renew(worker.target.id, worker.id, ids);
    if (stops.isOverdue(worker.id, ids)) {
      worker.reason = 'The worker went on with a job that it was told to stop.';
      log.warn({ worker: worker.id, endpoint: worker.target.id }, 'a blocked worker is replaced');
      workers.stop(worker, 0).catch((error: unknown) => log.error({ err: error }, 'a worker did not stop'));
    }
    if (http.query['status'] === 'unhealthy') {
      const reason = String(
        http.query['reason'] ?? http.query['check'] ?? 'The worker says that it is unhealthy.',
      );
      workers.report(worker, { state: 'unhealthy', reason, lines: worker.lines });
    }
    http.body = {};
  });

  router.get('/v2/:endpoint/job-stop/:worker', async (http) => {
    const worker = authorized(context, http);
    const ids = await stops.poll(worker.id, WORKER_LIMITS.takeWait, goneSignal(http));
    if (ids.length > 0) http.body = { jobsToStop: ids };
    else http.status = 204;
  });

  router.get('/v2/:endpoint/worker/:worker/assignment', async (http) => {
    const worker = authorized(context, http);
    const { app, environment, run } = worker.target;
    const key = await context.keys.workerKey(app, environment, run);
    http.body = assignmentOf(worker, context.node, key);
  });

  router.post('/v2/:endpoint/worker/:worker/state', async (http) => {
    const worker = authorized(context, http);
    const report = reportSchema.safeParse(parseJson(await resultText(http)));
    if (!report.success) throw new ToolkitError('BAD_REQUEST', "This is no report of a worker's state.");
    workers.report(worker, report.data);
    http.body = {};
  });

  router.get('/v2/:endpoint/worker/:worker/parts/:content', (http) => sendPart(context, http));
}
