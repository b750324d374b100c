/**
 * Accepts what workers post for a job: its result, progress, chunks, or a job that is given back. Only the
 * worker that holds the job is accepted.
 */
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJson } from '../json/readJson.ts';
import type { Worker } from '../workers/worker.ts';
import type { Holder, Refusal } from './jobStore.ts';
import { endOf, type PostedResult, RESULT_SHAPE, readResult, resultTooLarge } from './postedResult.ts';
import { attemptOf, authorized, type WorkerRoutesContext } from './workerRequest.ts';

/** Stores a chunk that a generator has yielded. */
export async function keepChunk(context: WorkerRoutesContext, http: Exchange): Promise<void> {
  const holder = holderOf(authorized(context, http), http);
  const body = await readJson(http.request, WORKER_LIMITS.resultBodyBytes, RESULT_SHAPE);
  if (body.root.broken) throw new ToolkitError('BAD_REQUEST', 'The body is not JSON.');
  const output = body.text(body.root.members?.get('output') ?? body.root);
  const said = await context.jobs.chunk(http.parameter('job'), holder, output);
  if (said !== 'held') throw refusalError(said, http.parameter('job'));
  http.sendJson('{}');
}

/**
 * Accepts a result, progress, or a job that is given back. Refuses a result that is late or from another
 * worker.
 */
export async function finishJob(context: WorkerRoutesContext, http: Exchange): Promise<void> {
  const { jobs, workers, stops } = context;
  const worker = authorized(context, http);
  const holder = holderOf(worker, http);
  const id = http.parameter('job');
  const posted = await readPosted(http);
  if (posted instanceof ToolkitError) {
    await jobs.finish([endOf(id, holder, { output: null, error: posted.message }, false)]);
    throw posted;
  }
  const { output, error, status, counted, stopPod } = posted;
  if (status === 'IN_PROGRESS') await jobs.progress(id, holder, output ?? 'null');
  else if (status === 'IN_QUEUE') await jobs.requeue({ ...holder, id, counted, error });
  else {
    stops.hasStopped(worker.id, id);
    workers.worked(worker);
    const isStream = http.query('isStream') === 'true';
    const [ended] = await jobs.finish([endOf(id, holder, { output, error }, isStream)]);
    // A result sent twice, because its first response was lost, is accepted.
    if (typeof ended === 'string' && ended !== 'repeated') throw refusalError(ended, id);
    if (typeof ended === 'object' && stopPod) worker.draining = true;
  }
  http.sendJson('{}');
}

/** The result in a request, or why it cannot be read. */
async function readPosted(http: Exchange): Promise<PostedResult | ToolkitError> {
  try {
    const body = await readJson(http.request, WORKER_LIMITS.resultBodyBytes, RESULT_SHAPE);
    return readResult(body, body.root);
  } catch (error) {
    if (error instanceof ToolkitError && error.code === 'PAYLOAD_TOO_LARGE') return resultTooLarge(error);
    throw error;
  }
}

/** The error for a refused worker. */
export function refusalError(why: Refusal, id: string): ToolkitError {
  return why === 'unknown'
    ? new ToolkitError('NOT_FOUND', `There is no job "${id}" on this endpoint.`)
    : new ToolkitError('CONFLICT', 'This worker no longer holds the job.');
}

function holderOf({ id, target }: Worker, http: Exchange): Holder {
  return { endpoint: target.id, worker: id, attempt: attemptOf(http) };
}
