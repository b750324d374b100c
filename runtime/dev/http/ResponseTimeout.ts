/** Limits how long a request waits for the first byte of its response. */
import { ToolkitError } from '../../contract/errors.ts';
import type { PendingJobBody } from '../../contract/job.ts';
import { CALL_LIMITS } from '../../contract/limits.ts';

const SECONDS = CALL_LIMITS.requestTimeoutSeconds;
/** In milliseconds. The platform reports that a job has not ended; its response can take this much longer. */
const GRACE_MS = 5_000;

export class ResponseTimeout {
  readonly #ending = new AbortController();
  readonly #endsAt = performance.now() + SECONDS * 1_000;
  #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = this.#endIn(SECONDS * 1_000);
  }

  /** Aborted when time is up. Its reason is the error to respond with. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Remaining milliseconds. */
  get left(): number {
    return Math.max(0, Math.ceil(this.#endsAt - performance.now()));
  }

  /** Extends the timeout so that the platform ends the wait. */
  leaveToPlatform(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#endIn(this.left + GRACE_MS);
  }

  /** Stops the timer: the request has ended. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Waits for work before the request is forwarded.
   *
   * @throws ToolkitError CALL_TIMEOUT if it takes too long. The work continues.
   */
  async for<Result>(work: Promise<Result>): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(this.signal.reason);
    this.signal.addEventListener('abort', end);
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  #endIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const error = new ToolkitError('CALL_TIMEOUT', `The worker did not respond within ${SECONDS} s.`, {
        hint: "It may still be provisioning: send the request again later, or read its log in the dev server's terminal.",
      });
      this.#ending.abort(error);
    }, milliseconds);
  }
}

/** The caller timed out, but the job continues. */
export class JobTimeout extends ToolkitError {
  readonly #job: PendingJobBody;

  constructor(job: PendingJobBody) {
    const stage = job.stage ? ` (stage: ${job.stage})` : '';
    const message = `The job ${job.id} has not ended after ${SECONDS} s${stage}. It continues. Its worker may still be provisioning.`;
    super('CALL_TIMEOUT', message, {
      hint: `Get its result later: replace runsync in the path with status/${job.id}.`,
    });
    this.#job = job;
  }

  override toHttp() {
    return { ...super.toHttp(), id: this.#job.id };
  }
}
