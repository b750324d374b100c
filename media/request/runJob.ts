/** Runs a request to a queue-based function as a job, and follows it to its end. Stopping cancels the job. */
import { type PendingJobBody, TERMINAL_STATES } from '../../runtime/contract/job.ts';
import { JOB_LIMITS } from '../../runtime/contract/limits.ts';
import type { Send } from '../PageHost.ts';
import type { HttpRequest } from './buildRequest.ts';
import { type Exchange, headOf, isObject, parsed, type Sending } from './Exchange.ts';

/** In milliseconds. Long, because while the function runs only its end can be reported. */
const RUNNING_WAIT = 30_000;

/** How long the submit request can still finish after a stop: only a job with a known id can be cancelled. */
const GRACE_MS = 2_000;

/**
 * Submits a job and waits for it without a time limit.
 *
 * @param sending - Abort its signal to cancel the job; the result then is the job's final state. `update` is called with
 *   the stage of the job.
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

/** Cancels a job and returns its final state; it can have ended before. */
async function cancel(send: Send, operations: string, id: string): Promise<Partial<Exchange>> {
  try {
    await ask(send, `${operations}cancel/${id}`, { method: 'POST' });
    return await ask(send, `${operations}status/${id}`, {});
  } catch (cause) {
    throw new Error(`the job ${id} may still run`, { cause });
  }
}

async function ask(send: Send, path: string, request: Parameters<Send>[1]): Promise<Partial<Exchange>> {
  const response = await send(path, request);
  const text = await response.text();
  return { ...headOf(response), text, size: new TextEncoder().encode(text).length };
}

/** The job in a response, if it has not ended; otherwise null. */
function pendingJob({ status, text }: Partial<Exchange>): PendingJobBody | null {
  const body = status === 200 ? parsed(text ?? '') : null;
  return isPendingJob(body) ? body : null;
}

function isPendingJob(body: unknown): body is PendingJobBody {
  if (!isObject(body) || typeof body['id'] !== 'string') return false;
  return !TERMINAL_STATES.some((state) => state === body['status']);
}

/** A signal that aborts `GRACE_MS` after `signal`. */
function withGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(signal.reason), GRACE_MS), {
    once: true,
  });
  return late.signal;
}
