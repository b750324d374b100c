/** Which node a worker is started on. */
import type { WorkerNode } from '../drivers/workerDriver.ts';
import { memoryOf } from './assignment.ts';
import type { Worker } from './worker.ts';

/**
 * Of the nodes that have the worker's Python, and its cards where it has some, those whose memory is as much as it may use
 * come first; of these, the one with the fewest workers for its cores; of equals the first.
 *
 * @param workers All that run or start.
 * @throws Error when no node can run it.
 */
export function chooseNode(nodes: WorkerNode[], { target, cards }: Worker, workers: Worker[]): WorkerNode {
  const { python, hardware } = target.spec;
  const able = nodes.filter(
    ({ capacity, isLocal }) => capacity.pythons[python] !== undefined && (isLocal || cards.length === 0),
  );
  const needed = memoryOf(hardware) ?? 0;
  const load = ({ id, capacity }: WorkerNode) =>
    workers.filter(({ node }) => node === id).length / capacity.cores;
  const isSmall = ({ capacity }: WorkerNode) => Number(capacity.memory < needed);
  const best = able.toSorted((a, b) => isSmall(a) - isSmall(b) || load(a) - load(b))[0];
  if (!best) throw new Error(`no machine has Python ${python}`);
  return best;
}
