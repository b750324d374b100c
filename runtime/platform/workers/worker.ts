/** One worker as the platform holds it, and its row in the store, by which a restart finds it again. */
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { PlacedWorker } from '../drivers/workerDriver.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { WorkerRow } from '../store/rows.ts';

export interface Worker {
  id: string;
  /** What it runs: its endpoint as one build has it. */
  target: DeployedEndpoint;
  state: 'starting' | 'ready' | 'unhealthy';
  /** Of a starting one: whether it loads the user's code already. */
  importing: boolean;
  /** Ends as soon as it has nothing in hand; gets nothing new. */
  draining: boolean;
  /** Hex sha256 of its token. */
  tokenHash: string;
  /** The node that it was placed on; null before. Its cards are of this node. */
  node: string | null;
  /** Whether the engine was told to start it. */
  started: boolean;
  /** Whether it takes connections, as a load-balanced worker does once it is ready. */
  listens: boolean;
  gatewaySecret: string | null;
  /** Indexes of its cards. */
  cards: number[];
  /** Monotonic instants. */
  startedAt: number;
  lastContact: number;
  idleSince: number;
  /** Takes of it that are open. */
  polls: number;
  /** Why it is unhealthy, one sentence. */
  reason: string | null;
  /** Its last lines when it is. */
  lines: string[];
}

type KeptWorker = Pick<
  Worker,
  'state' | 'draining' | 'tokenHash' | 'node' | 'gatewaySecret' | 'cards' | 'reason' | 'lines'
> & { generation: number };

export function encodeWorker(worker: Worker): WorkerRow {
  const { state, draining, tokenHash, node, gatewaySecret, cards, reason, lines, target } = worker;
  const kept: KeptWorker = {
    state,
    draining,
    tokenHash,
    node,
    gatewaySecret,
    cards,
    reason,
    lines,
    generation: target.generation,
  };
  return { id: worker.id, endpoint: target.id, body: JSON.stringify(kept) };
}

/** A worker of a former process, and the node that it was started on. */
export function decodePlace({ id, body }: WorkerRow): PlacedWorker {
  const { node } = JSON.parse(body) as KeptWorker;
  return { worker: id, node: node ?? LOCAL_NODE };
}

/**
 * A worker of a former process; one of an earlier build goes on with what it has in hand.
 *
 * @returns Null when its endpoint is gone, or its build never came to serve.
 */
export function decodeWorker(row: WorkerRow, endpoint: DeployedEndpoint | null): Worker | null {
  const { generation, ...kept } = JSON.parse(row.body) as KeptWorker;
  if (!endpoint || generation > endpoint.generation) return null;
  const now = performance.now();
  const times = { startedAt: now, lastContact: now, idleSince: now, polls: 0 };
  const draining = kept.draining || generation < endpoint.generation;
  const target = { ...endpoint, generation };
  return { ...kept, ...times, draining, id: row.id, target, started: true, importing: false, listens: false };
}
