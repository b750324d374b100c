/** Which node a worker is started on. */
import type { WorkerNode } from '../drivers/workerDriver.ts';
import { memoryOf } from './assignment.ts';
import type { Worker } from './worker.ts';

/**
 * Of the nodes that have the worker's Python, those whose agent is connected come first; of these, those whose memory is as
 * much as the worker may use; of these, the one with the fewest workers for its cores; the first one on a tie. A worker with
 * cards is for the node that has them.
 *
 * @param workers All that run or start.
 * @throws Error when no node can run it now.
 */
export function chooseNode(nodes: WorkerNode[], { target, node }: Worker, workers: Worker[]): WorkerNode {
  const { python, hardware } = target.spec;
  const able = nodes.filter(
    ({ id, capacity }) => capacity.pythons[python] !== undefined && (node === null || node === id),
  );
  const needed = memoryOf(hardware) ?? 0;
  const load = ({ id, capacity }: WorkerNode) =>
    workers.filter((worker) => worker.node === id).length / capacity.cores;
  const isSmall = ({ capacity }: WorkerNode) => Number(capacity.memory < needed);
  const isAway = ({ isConnected }: WorkerNode) => Number(!isConnected);
  const best = able.toSorted(
    (a, b) => isAway(a) - isAway(b) || isSmall(a) - isSmall(b) || load(a) - load(b),
  )[0];
  if (!best && node !== null) throw new Error(`the node "${node}" with its GPU is not connected`);
  if (!best) throw new Error(`no machine has Python ${python}`);
  return best;
}
