/**
 * A node of another machine. Nobody here sees its processes: its agent is gone when nothing was heard of it for longer than
 * an agent lives without a word from its platform.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentHello, AgentOrder } from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Log } from '../log.ts';
import type { AgentLink } from './agentLink.ts';
import type { AgentNode, LaterReport, NodeEvents } from './agentNode.ts';
import { RemoteLogs } from './remoteLogs.ts';
import type { WorkerNode } from './workerDriver.ts';

/** How long an agent may take to end. */
const END_MS = 5_000;

interface Agent {
  link: AgentLink;
  hello: AgentHello;
}

export class RemoteNode implements AgentNode {
  readonly logs = new RemoteLogs((order) => this.send(order));
  readonly #id: string;
  readonly #events: NodeEvents;
  readonly #log: Log;
  /** The one that is connected. */
  #agent: Agent | null = null;
  readonly #silence: NodeJS.Timeout;

  /** It has as long as any silent one to dial. */
  constructor(id: string, events: NodeEvents, log: Log) {
    this.#id = id;
    this.#events = events;
    this.#log = log;
    this.#silence = setTimeout(() => this.giveUp(), WORKER_LIMITS.nodeSilence);
  }

  /** Takes up a connection; one sentence when it is not this node's to have. */
  greet(link: AgentLink, hello: AgentHello): string | null {
    const former = this.#agent;
    if (former?.link.open && former.hello.pid !== hello.pid) {
      return `Another agent serves the node "${this.#id}" already; give this one another name.`;
    }
    this.#agent = { link, hello };
    former?.link.close();
    this.#silence.refresh();
    const { pid, version, workers, capacity } = hello;
    const told = { node: this.#id, pid, version, workers: workers.length, capacity };
    this.#log.info(told, 'node agent connected');
    link.send({
      type: 'welcome',
      leaseInterval: WORKER_LIMITS.pingInterval / 1000,
      patience: WORKER_LIMITS.nodePatience / 1000,
    });
    this.#events.greeted(workers);
    return null;
  }

  hear(link: AgentLink, report: LaterReport): void {
    if (this.#agent?.link !== link) return link.close();
    this.#silence.refresh();
    if (report.type === 'logs' || report.type === 'log') return this.logs.answered(report);
    if (report.type === 'leases') link.send({ type: 'alive' });
    this.#events.reported(report);
  }

  /** A connection ended. The agent dials again, or nothing more is heard of it. */
  lost(link: AgentLink): void {
    if (this.#agent?.link !== link) return;
    this.#agent = null;
    this.#log.warn({ node: this.#id }, 'the connection of the node agent ended');
  }

  async open(): Promise<WorkerNode | null> {
    if (!this.#agent?.link.open) return null;
    const { capacity, platform } = this.#agent.hello;
    return { id: this.#id, capacity, isLocal: false, platform, uv: null };
  }

  send(order: AgentOrder): boolean {
    if (!this.#agent?.link.open) return false;
    this.#agent.link.send(order);
    return true;
  }

  giveUp(): void {
    clearTimeout(this.#silence);
    this.#agent?.link.close();
    this.#agent = null;
    this.#log.error({ node: this.#id }, 'the node is given up with its workers');
    this.#events.died();
  }

  /** Its agent has done all. */
  async cleanUp(): Promise<void> {}

  async close(): Promise<void> {
    clearTimeout(this.#silence);
    const agent = this.#agent;
    if (!agent) return;
    agent.link.send({ type: 'end', reason: null });
    await Promise.race([agent.link.closed, sleep(END_MS, undefined, { ref: false })]);
    agent.link.close();
  }
}
