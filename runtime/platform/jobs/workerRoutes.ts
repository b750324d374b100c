/** The worker protocol: pulled jobs, results, pings, and what our own worker asks beside. A token opens one worker's routes. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod/mini';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { ATTEMPT_HEADER } from '../../contract/workerProtocol.ts';
import { presentedKey } from '../auth/authorize.ts';
import type { Keys } from '../auth/keys.ts';
import { parseJson, readBody } from '../http/readBody.ts';
import type { Log } from '../log.ts';
import type { Parts } from '../stateManager/parts.ts';
import { assignmentOf, type NodeFacts } from '../workers/assignment.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';
import type { LiveJob, Taker } from './endpointQueue.ts';
import { isObject } from './jobRequest.ts';
import type { Jobs } from './jobs.ts';
import { valueText } from './jsonText.ts';
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

const LARGEST_BATCH = 1_000;
/** The whole of a result's body: the output, and room for what stands around it. */
const RESULT_BODY_BYTES = WORKER_LIMITS.resultBytes + 1_000_000;

const reportSchema = z.object({
  state: z.enum(['starting', 'ready', 'unhealthy']),
  reason: z.nullable(z.string()),
  lines: z.array(z.string()),
});

export function mountWorkerRoutes(router: Router, context: WorkerRoutesContext): void {
  const { jobs, workers, stops, log } = context;
  const taking = (batch: boolean) => (http: Context) => {
    const worker = authorized(context, http);
    if (worker.state === 'starting') workers.setState(worker, 'ready');
    return take(context, http, worker, batch);
  };
  router.get('/v2/:endpoint/job-take/:worker', taking(false));
  router.get('/v2/:endpoint/job-take-batch/:worker', taking(true));

  router.post('/v2/:endpoint/job-done/:worker/:job', (http) => done(context, http));
  router.post('/v2/:endpoint/job-stream/:worker/:job', async (http) => {
    const worker = authorized(context, http);
    const text = await resultText(http);
    const body = parseJson(text);
    const job = jobs.held(worker.target.id, parameter(http, 'job'), worker.id, attemptOf(http));
    if (typeof job === 'string') throw staleResult();
    await jobs.chunk(job, (isObject(body) ? valueText(text, 'output') : null) ?? text);
    http.body = {};
  });

  router.get('/v2/:endpoint/ping/:worker', (http) => {
    const worker = authorized(context, http);
    const text = String(http.query['job_id'] ?? '');
    const ids = text === '' ? [] : text.split(',');
    jobs.renew(worker.target.id, worker.id, ids);
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
    const key = await context.keys.workerKey(worker.target.app, worker.target.environment);
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

/** Who speaks: the worker of the token, on its own routes only. */
function authorized({ workers }: WorkerRoutesContext, http: Context): Worker {
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

async function take(
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

/** A result, or progress that never completes. What is late or of another holder is refused. */
async function done(context: WorkerRoutesContext, http: Context): Promise<void> {
  const { jobs } = context;
  const worker = authorized(context, http);
  const id = parameter(http, 'job');
  const text = await readResult(context, http, worker, id);
  const body = parseJson(text);
  const fields = isObject(body) ? body : {};
  const job = jobs.held(worker.target.id, id, worker.id, attemptOf(http));
  if (fields['status'] === 'IN_PROGRESS') {
    if (typeof job !== 'string') jobs.renew(worker.target.id, worker.id, [id]);
    http.body = {};
    return;
  }
  if (fields['status'] === 'IN_QUEUE') {
    if (typeof job !== 'string') await jobs.giveBack(job, fields['counted'] === true);
    http.body = {};
    return;
  }
  if (job === 'unknown') return answerRepeated(context, http, worker, id);
  if (job === 'stale') throw staleResult();
  const output = isObject(body) ? valueText(text, 'output') : text;
  const { error } = fields;
  const failed = error !== undefined && error !== null && error !== '';
  await jobs.finish(job, {
    state: failed ? 'FAILED' : 'COMPLETED',
    output: failed ? null : output,
    error: failed ? (typeof error === 'string' ? error : JSON.stringify(error)) : null,
    fromChunks: http.query['isStream'] === 'true' && !failed,
  });
  if (fields['stopPod'] === true) worker.draining = true;
  http.body = {};
}

/**
 * The text of a result, which is JSON. One that is too large or none fails its job: sent again it would be the same.
 */
async function readResult(
  { jobs }: WorkerRoutesContext,
  http: Context,
  worker: Worker,
  id: string,
): Promise<string> {
  const fault = (code: 'PAYLOAD_TOO_LARGE' | 'BAD_REQUEST', message: string, cause?: unknown) =>
    new ToolkitError(code, message, { cause });
  const tooLarge = `The result is larger than ${WORKER_LIMITS.resultBytes / 1_000_000} MB.`;
  let refused: ToolkitError;
  try {
    const text = await resultText(http);
    const body = parseJson(text);
    const output = isObject(body) ? valueText(text, 'output') : text;
    if (Buffer.byteLength(output ?? '') <= WORKER_LIMITS.resultBytes) return text;
    refused = fault('PAYLOAD_TOO_LARGE', tooLarge);
  } catch (error) {
    if (!(error instanceof ToolkitError)) throw error;
    if (error.code === 'PAYLOAD_TOO_LARGE') refused = fault(error.code, tooLarge, error);
    else if (error.cause instanceof SyntaxError)
      refused = fault('BAD_REQUEST', 'The result is not JSON.', error);
    else throw error;
  }
  const job = jobs.held(worker.target.id, id, worker.id, attemptOf(http));
  if (typeof job !== 'string') {
    await jobs.finish(job, { state: 'FAILED', output: null, error: refused.message, fromChunks: false });
  }
  throw refused;
}

/** A result sent twice, because its first answer was lost, is accepted; any other late one is not. */
async function answerRepeated(
  context: WorkerRoutesContext,
  http: Context,
  worker: Worker,
  id: string,
): Promise<void> {
  const row = await context.jobs.find(worker.target.id, id);
  if (!row) throw new ToolkitError('NOT_FOUND', `There is no job "${id}" on this endpoint.`);
  const attempt = attemptOf(http);
  const isHolder = row.worker === worker.id && (attempt === null || attempt === row.attempt);
  if (!isHolder || row.state === 'CANCELLED' || row.state === 'TIMED_OUT') throw staleResult();
  http.body = {};
}

/** One part's bytes, with Range so that a cut download goes on. */
function sendPart(context: WorkerRoutesContext, http: Context): void {
  const worker = authorized(context, http);
  const content = parameter(http, 'content');
  if (!worker.target.parts.some((assigned) => assigned.content === content)) {
    throw new ToolkitError('NOT_FOUND', `The part ${content} is not of this worker.`);
  }
  const part = context.parts.find(content);
  if (!part) {
    throw new ToolkitError(
      'PART_MISSING',
      `The part ${content.slice(0, 12)} was found damaged on the platform's disk and removed.`,
      { hint: 'Deploy again: it is sent anew.' },
    );
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(http.get('range'));
  const start = range ? Number(range[1]) : 0;
  const end = Math.min(range?.[2] ? Number(range[2]) : part.size - 1, part.size - 1);
  http.type = 'application/octet-stream';
  http.set('accept-ranges', 'bytes');
  if (range && start > end) {
    http.set('content-range', `bytes */${part.size}`);
    http.status = 416;
    return;
  }
  http.status = range ? 206 : 200;
  if (range) http.set('content-range', `bytes ${start}-${end}/${part.size}`);
  http.length = Math.max(0, end - start + 1);
  http.body = part.size === 0 ? Buffer.alloc(0) : context.parts.read(part, start, end);
}

/** A JSON body, whatever Content-Type it is sent under. */
async function resultText(http: Context): Promise<string> {
  return (await readBody(http.req, RESULT_BODY_BYTES)).toString('utf8');
}

function attemptOf(http: Context): number | null {
  const header = http.get(ATTEMPT_HEADER);
  return header === '' ? null : Number(header);
}

function staleResult(): ToolkitError {
  return new ToolkitError('CONFLICT', 'This worker does not hold the job any more.');
}

function parameter(http: Context, name: string): string {
  return String(http['params'][name]);
}

function goneSignal(http: Context): AbortSignal {
  const gone = new AbortController();
  http.res.once('close', () => gone.abort());
  return gone.signal;
}
