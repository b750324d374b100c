/**
 * Proves the new and changed endpoints of a deploy: one worker of each must become ready before the deploy
 * switches.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RolloutStep } from '../../contract/deployment.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { Worker } from './worker.ts';
import type { Workers } from './workers.ts';

/** How often to check again for free cards. */
const POLL_MS = 200;
/** How many workers of one rollout start at the same time. */
const AT_ONCE = 4;

export interface RolloutContext {
  workers: Workers;
  events: PlatformEvents;
  /** See Autoscaler.makeRoom. */
  makeRoom(waiting: DeployedEndpoint, shareWith: ReadonlySet<string>): void;
  /** The last lines of a worker's log. */
  lastLines(endpointId: string, workerId: string): Promise<string[]>;
}

/** One endpoint to prove, and the step that shows its progress. */
export interface Proof {
  target: DeployedEndpoint;
  step: RolloutStep;
}

/**
 * Starts one worker for each target and waits until all are ready. Updates the steps as it goes.
 *
 * @returns whether all became ready. The proven workers keep running, except those whose cards another proof
 * needed.
 */
export async function proveWorkers(
  context: RolloutContext,
  proofs: Proof[],
  signal: AbortSignal,
): Promise<boolean> {
  const proven = new Set<Worker>();
  const waiting = [...proofs];
  const failing = new AbortController();
  const cancelled = AbortSignal.any([signal, failing.signal]);
  const next = async (): Promise<void> => {
    for (let proof = waiting.shift(); proof && !failing.signal.aborted; proof = waiting.shift()) {
      if (!(await prove(context, proof, proven, cancelled))) failing.abort();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return !cancelled.aborted;
}

async function prove(
  context: RolloutContext,
  { target, step }: Proof,
  proven: Set<Worker>,
  cancelled: AbortSignal,
): Promise<boolean> {
  const worker = await launch(context, target, step, proven, cancelled);
  if (worker === 'never') return true;
  if (!worker) return false;
  step.state = 'starting';
  step.detail = null;
  const { workers } = context;
  await started(context, worker, cancelled);
  if (worker.state === 'ready' && workers.get(worker.id) === worker) {
    step.state = 'ready';
    proven.add(worker);
    return true;
  }
  if (cancelled.aborted && worker.state === 'starting' && worker.reason === null) {
    step.state = 'waiting';
    step.detail = 'Stopped, because another endpoint of this deploy failed.';
    return false;
  }
  step.state = 'failed';
  step.detail = worker.reason ?? 'The worker did not become ready.';
  step.lines = worker.lines.length > 0 ? worker.lines : await context.lastLines(target.id, worker.id);
  return false;
}

/** Resolves when a worker is ready or unhealthy, has ended, or the proof is cancelled. */
async function started(
  { workers, events }: RolloutContext,
  worker: Worker,
  cancelled: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (worker.state !== 'starting' || workers.get(worker.id) !== worker || cancelled.aborted) resolve();
  };
  events.on('workerChanged', look);
  events.on('workerEnded', look);
  cancelled.addEventListener('abort', look);
  look();
  await promise;
  events.off('workerChanged', look);
  events.off('workerEnded', look);
  cancelled.removeEventListener('abort', look);
}

/**
 * Starts a worker on free cards, on those of its predecessors, or on those of proven workers that are stopped
 * for it.
 */
async function launch(
  { workers, makeRoom }: RolloutContext,
  target: DeployedEndpoint,
  step: RolloutStep,
  proven: Set<Worker>,
  cancelled: AbortSignal,
): Promise<Worker | 'never' | null> {
  const deadline = performance.now() + WORKER_LIMITS.startTimeout;
  while (!cancelled.aborted) {
    const predecessors = new Set(workers.of(target.id).map((worker) => worker.id));
    const launched = workers.launch(target, predecessors);
    if (launched === 'never') {
      step.detail = 'There is no suitable GPU, so its jobs wait.';
      return launched;
    }
    if (launched !== 'wait') return launched;
    step.detail = 'Waiting for a GPU: all are in use.';
    const claim = () => makeRoom(target, predecessors);
    const giving = [...proven].find((worker) => worker.cards.length > 0);
    if (giving) {
      proven.delete(giving);
      const stopped = workers.stop(giving);
      claim();
      // A claim ends when it is not repeated, and a worker can take longer to end.
      const claiming = setInterval(claim, POLL_MS);
      await stopped.finally(() => clearInterval(claiming));
    } else if (performance.now() > deadline) {
      step.state = 'failed';
      step.detail = 'No GPU became free.';
      return null;
    } else {
      claim();
      await sleep(POLL_MS);
    }
  }
  return null;
}
