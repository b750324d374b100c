/** What workers post of their jobs: results, progress, chunks, and jobs given back. Only the holder is heard. */
import type { Context } from 'koa';
import { ToolkitError } from '../../contract/errors.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import { parseJson } from '../http/readBody.ts';
import { isObject } from './jobRequest.ts';
import type { Holder, Refusal } from './jobStore.ts';
import { valueText } from './jsonText.ts';
import { attemptOf, authorized, parameter, resultText, type WorkerRoutesContext } from './workerRequest.ts';

/** Keeps what a generator yielded. */
export async function keepChunk(context: WorkerRoutesContext, http: Context): Promise<void> {
  const holder = holderOf(context, http);
  const text = await resultText(http);
  const body = parseJson(text);
  const output = (isObject(body) ? valueText(text, 'output') : null) ?? text;
  const said = await context.jobs.chunk(parameter(http, 'job'), holder, output);
  if (said !== 'held') throw staleResult();
  http.body = {};
}

/** Takes a result, or progress that never completes. What is late or of another holder is refused. */
export async function finishJob(context: WorkerRoutesContext, http: Context): Promise<void> {
  const { jobs, workers, stops } = context;
  const worker = authorized(context, http);
  const holder = holderOf(context, http);
  const id = parameter(http, 'job');
  const { body, output } = await readResult(context, http, id, holder);
  const fields = isObject(body) ? body : {};
  http.body = {};
  if (fields['status'] === 'IN_PROGRESS') return jobs.progress(id, holder, output ?? 'null');
  if (fields['status'] === 'IN_QUEUE') return jobs.giveBack(id, holder, fields['counted'] === true);
  stops.hasStopped(worker.id, id);
  workers.worked(worker);
  const { error } = fields;
  const failed = error !== undefined && error !== null && error !== '';
  const ended = await jobs.finish({
    id,
    holder,
    state: failed ? 'FAILED' : 'COMPLETED',
    output: failed ? null : output,
    error: failed ? (typeof error === 'string' ? error : JSON.stringify(error)) : null,
    fromChunks: http.query['isStream'] === 'true' && !failed,
  });
  if (typeof ended === 'string') refuse(ended, id);
  else if (fields['stopPod'] === true) worker.draining = true;
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
  id: string,
  holder: Holder,
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
  const { message } = refused;
  await jobs.finish({ id, holder, state: 'FAILED', output: null, error: message, fromChunks: false });
  throw refused;
}

/** A result sent twice, because its first answer was lost, is accepted; any other late one is not. */
function refuse(why: Refusal, id: string): void {
  if (why === 'unknown') throw new ToolkitError('NOT_FOUND', `There is no job "${id}" on this endpoint.`);
  if (why === 'stale') throw staleResult();
}

function holderOf(context: WorkerRoutesContext, http: Context): Holder {
  const worker = authorized(context, http);
  return { endpoint: worker.target.id, worker: worker.id, attempt: attemptOf(http) };
}

function staleResult(): ToolkitError {
  return new ToolkitError('CONFLICT', 'This worker does not hold the job any more.');
}
