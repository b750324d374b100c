/** A node as the driver sees it: one agent, connected or not, and the workers that it runs. */
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

/** What an agent sends after its hello. */
export type LaterReport = Exclude<AgentReport, { type: 'hello' }>;
/** What it reports about its workers. */
export type WorkerReported = Exclude<LaterReport, LogAnswer | { type: 'stream-failed' }>;

export interface NodeEvents {
  /** Its agent has connected. Workers that are not listed have ended. */
  greeted(workers: RunningWorker[]): void;
  reported(report: WorkerReported): void;
  /** Its agent and all its workers are gone. */
  died(): void;
}

export interface AgentNode {
  readonly logs: NodeLogs;
  /**
   * The node if a worker can be started there. For another machine: null while its agent is not connected.
   * For this machine the agent is started; once the node's capacity is known, the wait for it is short.
   *
   * @throws Error if the agent of this machine does not start while it is waited for.
   */
  open(): Promise<WorkerNode | null>;
  /** False while its agent is not connected. */
  send(order: AgentOrder): boolean;
  /** See WorkerDriver. The address is the one that the worker has reported. */
  connect(worker: string, address: string, onData?: (bytes: Buffer) => void): WorkerSocket;
  /** Called when the agent ignores an order; `died` follows. */
  giveUp(): void;
  /**
   * Called when a worker has ended. When it resolves, nothing that the worker started is running. Removes the
   * worker's folder.
   */
  cleanUp(worker: string): Promise<void>;
  /** Ends the agent. Call it only when no worker is running. */
  close(): Promise<void>;
}

/** Why the platform cannot work with an agent's protocol, as one sentence; null if it can. */
export function foreignProtocol({
  protocol,
  version,
}: Pick<AgentHello, 'protocol' | 'version'>): string | null {
  if (protocol === AGENT_PROTOCOL) return null;
  return `The platform uses agent protocol ${AGENT_PROTOCOL}, but this agent (${version}) uses ${protocol}.`;
}
