/** Limits what can wait: jobs of one endpoint, and bytes of inputs of one endpoint and of all. */
import { ToolkitError } from '../../contract/errors.ts';
import { JOB_LIMITS } from '../../contract/limits.ts';
import type { Queues } from './queues.ts';

const HINT = "Wait until some jobs have ended, or increase the endpoint's workers.";

export class Room {
  readonly #queues: Queues;
  readonly #maxWaitingBytes: number;
  /** By endpoint, jobs that are on their way into the store and not counted by a queue yet. */
  readonly #underway = new Map<string, { jobs: number; bytes: number }>();
  #bytesUnderway = 0;

  /** @param maxWaitingBytes - Limit for all inputs. One endpoint can use a share of it. */
  constructor(queues: Queues, maxWaitingBytes: number) {
    this.#queues = queues;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /**
   * Reserves room for jobs. Call the returned function once they are counted as waiting.
   *
   * @throws ToolkitError QUEUE_FULL.
   */
  take(endpointId: string, jobs: number, bytes: number): () => void {
    this.#require(endpointId, jobs, bytes);
    this.#move(endpointId, jobs, bytes);
    return () => this.#move(endpointId, -jobs, -bytes);
  }

  #require(endpointId: string, jobs: number, bytes: number): void {
    const queue = this.#queues.of(endpointId);
    const underway = this.#underway.get(endpointId);
    const waiting = queue.waiting + (underway?.jobs ?? 0);
    if (waiting + jobs > JOB_LIMITS.queueLength)
      throw full(
        `The queue of this endpoint has no room for this request: ${waiting} jobs are waiting, and the limit is ${JOB_LIMITS.queueLength}.`,
      );
    const ofEndpoint = queue.waitingBytes + (underway?.bytes ?? 0);
    const ofAll = this.#queues.waitingBytes + this.#bytesUnderway;
    const most = this.#maxWaitingBytes;
    const mostOfEndpoint = most * JOB_LIMITS.waitingShare;
    // An empty queue accepts a job of any size.
    if (waiting > 0 && ofEndpoint + bytes > mostOfEndpoint)
      throw full(
        `The queue of this endpoint has no room for this request: ${megabytes(ofEndpoint)} of inputs are waiting, and the limit is ${megabytes(mostOfEndpoint)}.`,
      );
    if (ofAll > 0 && ofAll + bytes > most) {
      throw full(
        `The platform has no room for this request: ${megabytes(ofAll)} of inputs are waiting, and the limit is ${megabytes(most)}.`,
        'Wait until some jobs have ended, or start the platform with a higher --max-waiting-bytes.',
      );
    }
  }

  #move(endpointId: string, jobs: number, bytes: number): void {
    const underway = this.#underway.get(endpointId) ?? { jobs: 0, bytes: 0 };
    underway.jobs += jobs;
    underway.bytes += bytes;
    if (underway.jobs > 0) this.#underway.set(endpointId, underway);
    else this.#underway.delete(endpointId);
    this.#bytesUnderway += bytes;
  }
}

function full(message: string, hint = HINT): ToolkitError {
  return new ToolkitError('QUEUE_FULL', message, { hint });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
