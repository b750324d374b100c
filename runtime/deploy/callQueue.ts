/** Submits, awaits and cancels jobs of a deployed queue-based endpoint. */
import type { RemoteEndpoint } from '../contract/deployment.ts';
import { ToolkitError } from '../contract/errors.ts';
import { type JobState, TERMINAL_STATES, type TerminalJobBody } from '../contract/job.ts';
import { JOB_LIMITS } from '../contract/limits.ts';
import { parseExact } from './exactJson.ts';
import type { PlatformClient } from './platformClient.ts';

/** In milliseconds. How long an interrupted submit can still finish: only a job with a known id can be cancelled. */
const GRACE_MS = 2_000;

/** Submits one job without waiting for it. */
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

/** The response of `run`. */
export interface SubmittedJob {
  id: string;
  status: JobState;
}

/**
 * Runs one job and waits for it. After a timeout the job continues; an interrupt cancels it.
 *
 * @throws ToolkitError CALL_TIMEOUT or INTERRUPTED; both messages contain the job's id.
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
      // The shortest wait that a platform accepts can be longer than the time left.
      const expiry = AbortSignal.timeout(Math.min(Math.ceil(left), wait + GRACE_MS));
      const body = await jobBody<TerminalJobBody>(
        client,
        `${endpoint.url}/status-sync/${job.id}?wait=${wait}`,
        {
          method: 'GET',
          signal: AbortSignal.any([signal, expiry]),
        },
      ).catch((error: unknown) => {
        if (expiry.aborted && !signal.aborted) return null;
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
 * @returns Its state afterwards; not CANCELLED if it had already ended.
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

/** Cancels the job of an interrupted call, so that it does not keep running unnoticed. Returns the error to throw. */
async function cancelled(
  client: PlatformClient,
  endpoint: RemoteEndpoint,
  { id }: SubmittedJob,
): Promise<ToolkitError> {
  try {
    const state = await cancelJob(client, endpoint, id, AbortSignal.timeout(GRACE_MS));
    const ended = state === 'CANCELLED' ? 'was cancelled' : `had already ended: ${state}`;
    return new ToolkitError('INTERRUPTED', `Interrupted; the job ${id} ${ended}.`, {
      hint: state === 'CANCELLED' ? 'To keep a job running when the command ends, use --async.' : null,
    });
  } catch (cause) {
    return new ToolkitError(
      'INTERRUPTED',
      `Interrupted; the job ${id} could not be cancelled and may still run.`,
      {
        hint: `Get its status at ${endpoint.url}/status/${id}.`,
        cause,
      },
    );
  }
}

function timedOut(endpoint: RemoteEndpoint, { id }: SubmittedJob, seconds: number): ToolkitError {
  return new ToolkitError(
    'CALL_TIMEOUT',
    `"${endpoint.name}" did not respond within ${seconds} s; its worker may still be provisioning. The job ${id} continues.`,
    { hint: `Get its result at ${endpoint.url}/status/${id}. Next time, use a longer --timeout.` },
  );
}

/** A signal that aborts `GRACE_MS` after `signal`. */
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
  const { status, body } = await client.fetchJson<Body & { error?: string; hint?: string }>(
    url,
    init,
    parseExact,
  );
  if (status >= 400)
    throw new ToolkitError(
      'CALL_FAILED',
      `${url} returned ${status}: ${(body.error ?? 'no reason given').replace(/\.$/, '')}.`,
      { hint: body.hint ?? null },
    );
  return body;
}
