/** What workers post of their jobs: results, progress, chunks, and jobs given back. Only the holder is heard. */
import type { Context } from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { parseJson } from '../http/readBody.ts';
import type { Worker } from '../workers/worker.ts';
import { isObject } from './jobRequest.ts';
import { valueText } from './jsonText.ts';
import { attemptOf, authorized, parameter, resultText, type WorkerRoutesContext } from './workerRequest.ts';

/** Keeps what a generator yielded. */
export async function keepChunk(context: WorkerRoutesContext, http: Context): Promise<void> {
  const { jobs } = context;
  const worker = authorized(context, http);
  const text = await resultText(http);
  const body = parseJson(text);
  const job = jobs.held(worker.target.id, parameter(http, 'job'), worker.id, attemptOf(http));
  if (typeof job === 'string') throw staleResult();
  await jobs.chunk(job, (isObject(body) ? valueText(text, 'output') : null) ?? text);
  http.body = {};
}

/** Takes a result, or progress that never completes. What is late or of another holder is refused. */
export async function finishJob(context: WorkerRoutesContext, http: Context): Promise<void> {
  const { jobs } = context;
  const worker = authorized(context, http);
  const id = parameter(http, 'job');
  const { body, output } = await readResult(context, http, worker, id);
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
  context.stops.hasStopped(worker.id, id);
  context.workers.worked(worker);
  if (job === 'unknown') return answerRepeated(context, http, worker, id);
  if (job === 'stale') throw staleResult();
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

/** A result as it was posted: its JSON, and the text of its output. */
interface PostedResult {
  body: unknown;
  output: string | null;
}

/**
 * Reads a result, which is JSON. One that is too large or none fails its job: sent again it would be the same.
 */
async function readResult(
  { jobs }: WorkerRoutesContext,
  http: Context,
  worker: Worker,
  id: string,
): Promise<PostedResult> {
  const fault = (code: 'PAYLOAD_TOO_LARGE' | 'BAD_REQUEST', message: string, cause?: unknown) =>
    new ToolkitError(code, message, { cause });
  const tooLarge = `The result is larger than ${WORKER_LIMITS.resultBytes / 1_000_000} MB.`;
  let refused: ToolkitError;
  try {
    const text = await resultText(http);
    const body = parseJson(text);
    const output = isObject(body) ? valueText(text, 'output') : text;
    if (Buffer.byteLength(output ?? '') <= WORKER_LIMITS.resultBytes) return { body, output };
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
  const row = await context.jobs.reads.find(worker.target.id, id);
  if (!row) throw new ToolkitError('NOT_FOUND', `There is no job "${id}" on this endpoint.`);
  const attempt = attemptOf(http);
  const isHolder = row.worker === worker.id && (attempt === null || attempt === row.attempt);
  if (!isHolder || row.state === 'CANCELLED' || row.state === 'TIMED_OUT') throw staleResult();
  http.body = {};
}

function staleResult(): ToolkitError {
  return new ToolkitError('CONFLICT', 'This worker does not hold the job any more.');
}
