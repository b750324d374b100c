/** Jobs of a deployed queue-based endpoint, as its users make them: submitted, waited for, cancelled. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { type JobState, TERMINAL_STATES, type TerminalJobBody } from '../contract/job.ts';
import { JOB_LIMITS } from '../contract/limits.ts';
import { parseExact } from './exactJson.ts';
import type { PlatformClient } from './platformClient.ts';

/** After an interrupt, a request under way may still end, milliseconds: what it made must be known to be cancelled. */
const GRACE_MS = 2_000;

/** Puts one job on the queue and does not wait for it. */
export async function submitJob(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  input: unknown,
  signal: AbortSignal,
): Promise<SubmittedJob> {
  return jobBody(client, `${endpoint.url}/run`, {
    method: 'POST',
    body: JSON.stringify({ input }),
    signal,
  });
}

/** A job as `run` answers it. */
export interface SubmittedJob {
  id: string;
  status: JobState;
}

/**
 * Runs one job and waits for it. When the wait ends the job goes on; an interrupt cancels it.
 *
 * @throws ToolkitError CALL_TIMEOUT or INTERRUPTED, both naming the job.
 */
export async function callQueue(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  input: unknown,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<TerminalJobBody> {
  signal.throwIfAborted();
  const deadline = Date.now() + timeoutSeconds * 1000;
  const job = await submitJob(client, endpoint, input, withGrace(signal));
  try {
    for (;;) {
      signal.throwIfAborted();
      const left = deadline - Date.now();
      if (left <= 0) throw timedOut(endpoint, job, timeoutSeconds);
      const wait = Math.min(Math.max(Math.ceil(left), JOB_LIMITS.waitMin), JOB_LIMITS.waitMax);
      // The shortest wait that a platform grants may be longer than what is left.
      const patience = AbortSignal.timeout(Math.min(Math.ceil(left), wait + GRACE_MS));
      const body = await jobBody<TerminalJobBody>(
        client,
        `${endpoint.url}/status-sync/${job.id}?wait=${wait}`,
        {
          method: 'GET',
          signal: AbortSignal.any([signal, patience]),
        },
      ).catch((error: unknown) => {
        if (patience.aborted && !signal.aborted) return null;
        throw error;
      });
      if (body && TERMINAL_STATES.includes(body.status)) return body;
    }
  } catch (error) {
    throw signal.aborted ? await cancelled(client, endpoint, job) : error;
  }
}

/**
 * Cancels a job, queued or running.
 *
 * @returns Its state afterwards: another one than CANCELLED when it had ended before.
 */
async function cancelJob(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  id: string,
  signal: AbortSignal,
): Promise<JobState> {
  const body = await jobBody<SubmittedJob>(client, `${endpoint.url}/cancel/${id}`, {
    method: 'POST',
    signal,
  });
  return body.status;
}

/** Who stops waiting on purpose has no use for the answer: the job must not go on unseen. */
async function cancelled(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  { id }: SubmittedJob,
): Promise<ToolkitError> {
  try {
    const state = await cancelJob(client, endpoint, id, AbortSignal.timeout(GRACE_MS));
    const ended = state === 'CANCELLED' ? 'was cancelled' : `had ended before: ${state}`;
    return new ToolkitError('INTERRUPTED', `Interrupted; the job ${id} ${ended}.`, {
      hint: state === 'CANCELLED' ? 'With --async, a job continues when the command ends.' : null,
    });
  } catch (cause) {
    return new ToolkitError(
      'INTERRUPTED',
      `Interrupted; the job ${id} could not be cancelled and may go on.`,
      {
        hint: `Ask ${endpoint.url}/status/${id}.`,
        cause,
      },
    );
  }
}

function timedOut(endpoint: RemoteEndpoint, { id }: SubmittedJob, seconds: number): ToolkitError {
  return new ToolkitError(
    'CALL_TIMEOUT',
    `"${endpoint.name}" did not answer within ${seconds} s; its worker may still be provisioning. The job ${id} goes on.`,
    { hint: `Wait and retry with a longer --timeout, or ask ${endpoint.url}/status/${id}.` },
  );
}

/** Aborts a little later than `signal` does. */
function withGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(signal.reason), GRACE_MS).unref(), {
    once: true,
  });
  return late.signal;
}

async function jobBody<Body extends SubmittedJob>(
  client: PlatformClient,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Body> {
  const response = await client.fetch(url, { ...init, headers: { 'content-type': 'application/json' } });
  const text = await response.text();
  let body: Body & { error?: string; hint?: string };
  try {
    body = parseExact(text) as typeof body;
  } catch (error) {
    throw new ToolkitError(
      'PLATFORM_FAILED',
      `${url} answered ${response.status} with something that is not JSON.`,
      {
        hint: 'Check that PLATFORM_API_URL is the address of a platform.',
        cause: error,
      },
    );
  }
  if (!response.ok)
    throw new ToolkitError(
      'CALL_FAILED',
      `${url} answered ${response.status}: ${body.error ?? 'no reason given'}.`,
      { hint: body.hint ?? null },
    );
  return body;
}
