/**
 * Functions of requests whose clients have left. Nothing can stop a function in a thread, and an async one
 * notices only if it asks. So the gateway asks the worker to respond once the function has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AWAITED_REQUEST_HEADER, BLOCKED_HEADER } from '../../contract/workerProtocol.ts';
import type { Workers } from '../workers/workers.ts';
import { askHealth } from './askHealth.ts';
import type { Slot } from './balance.ts';
import { timeLimit } from './timeLimit.ts';

const AGAIN_MS = 500;

/**
 * Waits until the function of a request has ended, or for the endpoint's time limit.
 *
 * @param cut Ends the wait.
 * @returns Whether the function still runs after its time, so that its worker must be replaced.
 */
export async function isBlockedAtEnd(
  workers: Workers,
  { worker, number }: Slot,
  cut: AbortSignal,
): Promise<boolean> {
  const { spec } = worker.target;
  // A command's own server notices the closed connection.
  if (spec.command) return false;
  const late = AbortSignal.timeout(timeLimit(spec));
  const awaited = { [AWAITED_REQUEST_HEADER]: String(number) };
  while (!cut.aborted && !late.aborted && workers.get(worker.id) === worker) {
    try {
      const answer = await askHealth(workers, worker, AbortSignal.any([cut, late]), awaited);
      return answer.headers[BLOCKED_HEADER] !== undefined;
    } catch {
      // Its node may be away for a moment.
      await sleep(AGAIN_MS);
    }
  }
  return late.aborted;
}
