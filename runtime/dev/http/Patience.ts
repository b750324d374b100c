/** How long a request may wait for the first byte of its answer. */
import { ToolkitError } from '../../contract/errors.ts';
import type { PendingJobBody } from '../../contract/job.ts';
import { CALL_LIMITS } from '../../contract/limits.ts';

const SECONDS = CALL_LIMITS.requestTimeoutSeconds;
/** The platform says by itself that a job has not ended; its answer may take this much longer, milliseconds. */
const GRACE_MS = 5_000;

export class Patience {
  readonly #ending = new AbortController();
  readonly #endsAt = performance.now() + SECONDS * 1_000;
  #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = this.#endIn(SECONDS * 1_000);
  }

  /** Raised when the wait has been too long; its reason is what the request is answered. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Milliseconds. */
  get left(): number {
    return Math.max(0, Math.ceil(this.#endsAt - performance.now()));
  }

  /** Lets the platform end the wait. */
  leaveToPlatform(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#endIn(this.left + GRACE_MS);
  }

  /** The request was answered. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Waits for work of dev's.
   *
   * @throws ToolkitError CALL_TIMEOUT when it takes too long; the work goes on.
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
      const error = new ToolkitError('CALL_TIMEOUT', `The worker did not answer within ${SECONDS} s.`, {
        hint: 'It may still be provisioning: wait and send the request again, or see its log in this terminal.',
      });
      this.#ending.abort(error);
    }, milliseconds);
  }
}

/** A job that goes on after its caller has waited for long enough. */
export class JobTimeout extends ToolkitError {
  readonly #job: PendingJobBody;

  constructor(job: PendingJobBody) {
    const stage = job.stage ? ` (${job.stage})` : '';
    const message = `The job ${job.id} has not ended within ${SECONDS} s${stage}; it goes on. Its worker may still be provisioning.`;
    super('CALL_TIMEOUT', message, {
      hint: `Ask for it at status/${job.id}, in place of runsync in the path.`,
    });
    this.#job = job;
  }

  override toHttp() {
    return { ...super.toHttp(), id: this.#job.id };
  }
}
