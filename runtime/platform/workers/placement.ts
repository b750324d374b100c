/** Chooses the node that a worker is started on. */
import type { WorkerNode } from '../drivers/workerDriver.ts';
import { memoryOf } from './assignment.ts';
import type { Worker } from './worker.ts';

/**
 * Chooses among the nodes with the worker's Python. The order of preference is: its agent is connected, its
 * memory is enough for the worker's limit, the fewest workers per core, the first in the list. A worker with
 * cards can only start on the node of these cards.
 *
 * @param workers All running or starting workers.
 * @throws Error if no node can run the worker now.
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
