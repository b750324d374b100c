/** A node as the driver knows it: one agent, which is connected or is not, and the workers that it runs. */
import {
  AGENT_PROTOCOL,
  type AgentHello,
  type AgentOrder,
  type AgentReport,
  type LogAnswer,
  type RunningWorker,
} from '../../contract/agentProtocol.ts';
import type { WorkerNode, WorkerSocket } from './workerDriver.ts';
import type { NodeLogs } from './workerLogs.ts';

/** What an agent says after its hello. */
export type LaterReport = Exclude<AgentReport, { type: 'hello' }>;
/** What it says of its workers. */
export type WorkerReported = Exclude<LaterReport, LogAnswer | { type: 'stream-failed' }>;

export interface NodeEvents {
  /** Its agent has dialled; workers that it does not name have ended. */
  greeted(workers: RunningWorker[]): void;
  reported(report: WorkerReported): void;
  /** Its agent is gone, and all its workers with it. */
  died(): void;
}

export interface AgentNode {
  readonly logs: NodeLogs;
  /**
   * The node, when a worker may be started there; null for another machine's while its agent is not connected. That of this
   * machine is started, and waited for only briefly once something is known of the node.
   *
   * @throws Error if the agent of this machine is waited for and does not start.
   */
  open(): Promise<WorkerNode | null>;
  /** False while its agent is not connected. */
  send(order: AgentOrder): boolean;
  /** See WorkerDriver; the address is what the worker told. */
  connect(worker: string, address: string, onData?: (bytes: Buffer) => void): WorkerSocket;
  /** Called when the agent ignores an order; `died` follows. */
  giveUp(): void;
  /** A worker has ended: when this resolves nothing that it started lives on. Its folder is removed. */
  cleanUp(worker: string): Promise<void>;
  /** Ends the agent, when no worker runs. */
  close(): Promise<void>;
}

/** One sentence; null when an agent of this hello is understood. */
export function foreignProtocol({
  protocol,
  version,
}: Pick<AgentHello, 'protocol' | 'version'>): string | null {
  if (protocol === AGENT_PROTOCOL) return null;
  return `The platform speaks protocol ${AGENT_PROTOCOL} with its agents, and this one (${version}) speaks ${protocol}.`;
}
