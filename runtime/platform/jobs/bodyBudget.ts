/**
 * Limits how many bytes of clients' requests the platform holds at the same time, while it reads them or
 * writes them to disk.
 */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';

export class BodyBudget {
  #held = 0;

  /**
   * Counts a request's body. Call the returned function once the body is on disk or refused.
   *
   * @param limit - Largest allowed body, bytes. Assumed for a body without a Content-Length.
   * @throws ToolkitError QUEUE_FULL if too much is held. Nothing was read then.
   */
  take(request: IncomingMessage, limit: number): () => void {
    const bytes = Math.min(Number(request.headers['content-length'] ?? limit), limit);
    if (this.#held > 0 && this.#held + bytes > JOB_LIMITS.bodiesHeld) {
      throw new ToolkitError('QUEUE_FULL', 'The platform is already reading too many large requests.', {
        hint: 'Wait a moment, then send this request again.',
      });
    }
    this.#held += bytes;
    let isHeld = true;
    return () => {
      if (isHeld) this.#held -= bytes;
      isHeld = false;
    };
  }
}
