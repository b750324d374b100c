/** Which node a worker is started on. */
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { WorkerNode } from '../drivers/workerDriver.ts';
import { memoryOf } from './assignment.ts';
import type { Worker } from './worker.ts';

/**
 * Of the nodes that have the worker's Python, those whose memory is as much as it may use come first; of these, the one with
 * the fewest workers for its cores; the first one on a tie. A worker with cards is for this machine.
 *
 * @param workers All that run or start.
 * @throws Error when no node can run it.
 */
export function chooseNode(nodes: WorkerNode[], { target, cards }: Worker, workers: Worker[]): WorkerNode {
  const { python, hardware } = target.spec;
  // Cards are counted here.
  const able = nodes.filter(
    ({ id, capacity }) => capacity.pythons[python] !== undefined && (id === LOCAL_NODE || cards.length === 0),
  );
  const needed = memoryOf(hardware) ?? 0;
  const load = ({ id, capacity }: WorkerNode) =>
    workers.filter(({ node }) => node === id).length / capacity.cores;
  const isSmall = ({ capacity }: WorkerNode) => Number(capacity.memory < needed);
  const best = able.toSorted((a, b) => isSmall(a) - isSmall(b) || load(a) - load(b))[0];
  if (!best) throw new Error(`no machine has Python ${python}`);
  return best;
}
