/** Which node a worker is started on. */
import type { WorkerNode } from '../drivers/workerDriver.ts';
import { memoryOf } from './assignment.ts';
import type { Worker } from './worker.ts';

/**
 * Of the nodes that have the worker's Python, those whose memory is as much as it may use come first; of these, the one with
 * the fewest workers for its cores; the first one on a tie. A load-balanced worker, or one with cards, is for this machine.
 *
 * @param workers All that run or start.
 * @throws Error when no node can run it.
 */
export function chooseNode(nodes: WorkerNode[], { target, cards }: Worker, workers: Worker[]): WorkerNode {
  const { kind, python, hardware } = target.spec;
  // The gateway reaches the addresses of this machine, and cards are counted here.
  const isBound = kind === 'load-balanced' || cards.length > 0;
  const able = nodes.filter(
    ({ capacity, isLocal }) => capacity.pythons[python] !== undefined && (isLocal || !isBound),
  );
  const needed = memoryOf(hardware) ?? 0;
  const load = ({ id, capacity }: WorkerNode) =>
    workers.filter(({ node }) => node === id).length / capacity.cores;
  const isSmall = ({ capacity }: WorkerNode) => Number(capacity.memory < needed);
  const best = able.toSorted((a, b) => isSmall(a) - isSmall(b) || load(a) - load(b))[0];
  if (!best) throw new Error(`no machine has Python ${python}`);
  return best;
}
