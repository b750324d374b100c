/** A request to a queue-based function → its job, followed to the end. Stopping cancels the job. */
import { type PendingJobBody, TERMINAL_STATES } from '../../runtime/contract/job.ts';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import type { Send } from '../PageHost.ts';
import type { HttpRequest } from './buildRequest.ts';
import { type Exchange, headOf, isObject, parsed, type Sending } from './Exchange.ts';

/** While the function runs there is nothing to report but its end, milliseconds. */
const RUNNING_WAIT = 30_000;

/** After a stop, the request that makes the job may still be answered: the job must be known to be cancelled. */
const GRACE_MS = 2_000;

/**
 * Makes a job and waits for it, for as long as it takes.
 *
 * @param sending - Its signal is aborted to cancel the job; what then became of it is the answer. `update` is called with
 *   the stage that the job is in.
 */
export async function runJob(
  { path, body }: HttpRequest,
  { send, signal, update }: Sending,
): Promise<Partial<Exchange>> {
  const operations = path.replace(/runsync$/, '');
  let answer = await ask(send, `${path}?wait=${JOB_LIMITS.waitMin}`, {
    method: 'POST',
    body,
    signal: withGrace(signal),
  });
  for (let job = pendingJob(answer); job; job = pendingJob(answer)) {
    const { id, stage = null } = job;
    update({ stage });
    const wait = stage === 'running' ? RUNNING_WAIT : JOB_LIMITS.waitMin;
    try {
      answer = await ask(send, `${operations}status-sync/${id}?wait=${wait}`, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      answer = await cancel(send, operations, id);
    }
  }
  return answer;
}

/** Cancels a job, and answers what became of it: it may have ended before. */
async function cancel(send: Send, operations: string, id: string): Promise<Partial<Exchange>> {
  try {
    await ask(send, `${operations}cancel/${id}`, { method: 'POST' });
    return await ask(send, `${operations}status/${id}`, {});
  } catch (cause) {
    throw new Error(`the job ${id} may go on`, { cause });
  }
}

async function ask(send: Send, path: string, request: Parameters<Send>[1]): Promise<Partial<Exchange>> {
  const response = await send(path, request);
  const text = await response.text();
  return { ...headOf(response), text, size: new TextEncoder().encode(text).length };
}

/** The job of an answer that has not ended; null for every other answer. */
function pendingJob({ status, text }: Partial<Exchange>): PendingJobBody | null {
  const body = status === 200 ? parsed(text ?? '') : null;
  return isPendingJob(body) ? body : null;
}

function isPendingJob(body: unknown): body is PendingJobBody {
  if (!isObject(body) || typeof body['id'] !== 'string') return false;
  return !TERMINAL_STATES.some((state) => state === body['status']);
}

/** Aborts a little later than `signal` does. */
function withGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(signal.reason), GRACE_MS), {
    once: true,
  });
  return late.signal;
}
