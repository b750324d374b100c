/** How many bytes of clients' requests the platform holds at once: those that are being read or written to disk. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';

export class BodyBudget {
  #held = 0;

  /**
   * Counts a request's body; call the result once it is on disk or refused.
   *
   * @param limit - What a body may have, bytes: it counts for one whose length is not announced.
   * @throws ToolkitError QUEUE_FULL when too much is held; nothing was read.
   */
  take(request: IncomingMessage, limit: number): () => void {
    const bytes = Math.min(Number(request.headers['content-length'] ?? limit), limit);
    if (this.#held > 0 && this.#held + bytes > JOB_LIMITS.bodiesHeld) {
      throw new ToolkitError('QUEUE_FULL', 'The platform is reading as many large requests as it may.', {
        hint: 'Send this one again.',
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
