/** One worker in the platform's memory, and its row in the store, so that a restart finds it. */
import { LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { PlacedWorker } from '../drivers/workerDriver.ts';
import type { DeployedEndpoint } from '../endpoints.ts';
import type { WorkerRow } from '../store/rows.ts';

export interface Worker {
  id: string;
  /** The endpoint that it runs, as deployed by one build. */
  target: DeployedEndpoint;
  state: 'starting' | 'ready' | 'unhealthy';
  /** Whether it has ever been ready. One that has not ends because it cannot start. */
  wasReady: boolean;
  /** For a starting worker: whether it is already loading the user's code. */
  importing: boolean;
  /** Gets no new work, and ends once it has finished its current work. */
  draining: boolean;
  /** Hex sha256 of its token. */
  tokenHash: string;
  /** The node that it was placed on, which has its cards; null before the placement. */
  node: string | null;
  /** Whether the driver was asked to start it. */
  started: boolean;
  /** Whether it accepts connections, as a load-balanced worker does once it is ready. */
  listens: boolean;
  gatewaySecret: string | null;
  /** Indexes of its cards. */
  cards: number[];
  /** Monotonic times. */
  startedAt: number;
  lastContact: number;
  idleSince: number;
  /** Number of its open long polls. */
  polls: number;
  /** Why it is unhealthy, one sentence. */
  reason: string | null;
  /** Its last log lines if it is unhealthy. */
  lines: string[];
}

type KeptWorker = Pick<
  Worker,
  'state' | 'wasReady' | 'draining' | 'tokenHash' | 'node' | 'gatewaySecret' | 'cards' | 'reason' | 'lines'
> & { generation: number };

export function encodeWorker(worker: Worker): WorkerRow {
  const { state, wasReady, draining, tokenHash, node, gatewaySecret, cards, reason, lines, target } = worker;
  const kept: KeptWorker = {
    state,
    wasReady,
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

/** A worker of a former process of this platform, and the node that it was started on. */
export function decodePlacement({ id, body }: WorkerRow): PlacedWorker {
  const { node } = JSON.parse(body) as KeptWorker;
  return { worker: id, node: node ?? LOCAL_NODE };
}

/**
 * A worker of a former process of this platform. A worker of an earlier build finishes its current work.
 *
 * @returns Null if its endpoint was removed, or its build was never switched to.
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
