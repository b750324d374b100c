/**
 * Limits how many bytes of clients' requests the platform holds at the same time, while it reads them or
 * writes them to disk.
 */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';

export class BodyBudget {
  #held = 0;
  readonly #ofEndpoints = new Map<string, number>();

  /**
   * Counts a request's body. Call the returned function once the body is on disk or refused.
   *
   * @param limit - Largest allowed body, bytes. Assumed for a body without a Content-Length.
   * @throws ToolkitError QUEUE_FULL if too much is held. Nothing was read then.
   */
  take(request: IncomingMessage, endpoint: string, limit: number): () => void {
    const bytes = Math.min(Number(request.headers['content-length'] ?? limit), limit);
    // Whoever fills the budget must not keep others out, so each endpoint has a part of its own.
    const isWithinOwn = this.#of(endpoint) + bytes <= JOB_LIMITS.bodiesHeldOfEndpoint;
    if (!isWithinOwn && this.#held + bytes > JOB_LIMITS.bodiesHeld) {
      throw new ToolkitError('QUEUE_FULL', 'The platform is already reading too many large requests.', {
        hint: 'Wait a moment, then send this request again.',
      });
    }
    this.#count(endpoint, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#count(endpoint, -bytes);
      isHeld = false;
    };
  }

  #of(endpoint: string): number {
    return this.#ofEndpoints.get(endpoint) ?? 0;
  }

  #count(endpoint: string, bytes: number): void {
    this.#held += bytes;
    const held = this.#of(endpoint) + bytes;
    if (held > 0) this.#ofEndpoints.set(endpoint, held);
    else this.#ofEndpoints.delete(endpoint);
  }
}
