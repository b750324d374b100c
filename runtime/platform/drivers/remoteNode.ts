/**
 * A node on another machine. The platform cannot see its processes. It treats the agent as gone after a
 * silence that is longer than an agent survives without its platform.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentHello, AgentOrder } from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Log } from '../log.ts';
import type { AgentLink } from './agentLink.ts';
import type { AgentNode, LaterReport, NodeEvents } from './agentNode.ts';
import { RemoteLogs } from './remoteLogs.ts';
import { RemoteStreams } from './remoteStreams.ts';
import type { WorkerNode } from './workerDriver.ts';
import type { WorkerStream } from './workerStream.ts';

/** How long an agent can take to end. */
const END_MS = 5_000;

interface Agent {
  link: AgentLink;
  hello: AgentHello;
}

export class RemoteNode implements AgentNode {
  readonly logs = new RemoteLogs((order) => this.send(order));
  readonly streams = new RemoteStreams((order) => this.send(order));
  readonly #id: string;
  readonly #events: NodeEvents;
  readonly #log: Log;
  /** The connected agent. */
  #agent: Agent | null = null;
  /** As reported by the last agent; null before the first one has connected. */
  #last: Omit<WorkerNode, 'isConnected'> | null = null;
  readonly #silence: NodeJS.Timeout;
  #isGivenUp = false;
  #isAbandoned = false;

  /** A new node must connect within the time that a silent node has to report again. */
  constructor(id: string, events: NodeEvents, log: Log) {
    this.#id = id;
    this.#events = events;
    this.#log = log;
    this.#silence = setTimeout(() => this.#die(), WORKER_LIMITS.nodeSilence);
  }

  /** Accepts a connection. Returns the reason if it refuses. */
  greet(link: AgentLink, hello: AgentHello): string | null {
    if (this.#isGivenUp)
      return `The platform has given up the node "${this.#id}" and accepts it again once its agent has ended.`;
    const former = this.#agent;
    if (former?.link.open && former.hello.instance !== hello.instance) {
      return `Another agent already serves the node "${this.#id}"; give this one another name.`;
    }
    this.#agent = { link, hello };
    former?.link.close();
    this.#silence.refresh();
    const { pid, version, workers, capacity, platform } = hello;
    this.#last = { id: this.#id, capacity, platform, uv: null };
    const details = { node: this.#id, pid, version, workers: workers.length, capacity };
    this.#log.info(details, 'node agent connected');
    link.send({
      type: 'welcome',
      leaseInterval: WORKER_LIMITS.pingInterval / 1000,
      patience: WORKER_LIMITS.nodeTimeout / 1000,
    });
    this.#events.greeted(workers);
    return null;
  }

  hear(link: AgentLink, report: LaterReport): void {
    if (this.#agent?.link !== link || this.#isGivenUp) return link.close();
    this.#silence.refresh();
    if (report.type === 'logs' || report.type === 'log') return this.logs.answered(report);
    if (report.type === 'stream-failed')
      return this.streams.failed(report.stream, report.reason, report.atNode);
    if (report.type === 'leases') link.send({ type: 'alive' });
    this.#events.reported(report);
  }

  /** A connection has ended. The agent dials again, or the node stays silent. */
  lost(link: AgentLink): void {
    if (this.#agent?.link !== link) return;
    this.#agent = null;
    this.streams.lost();
    this.#log.warn({ node: this.#id }, 'the connection to the node agent ended');
    if (this.#isAbandoned) this.#die();
  }

  /** Null until its agent has connected. */
  get node(): WorkerNode | null {
    return this.#last && { ...this.#last, isConnected: this.#agent?.link.open ?? false };
  }

  async open(): Promise<WorkerNode | null> {
    return this.node?.isConnected ? this.node : null;
  }

  send(order: AgentOrder): boolean {
    if (!this.#agent?.link.open) return false;
    this.#agent.link.send(order);
    return true;
  }

  connect(worker: string, _address: string, onData?: (bytes: Buffer) => void): WorkerStream {
    const stream = this.streams.open(worker);
    return onData ? stream.on('data', onData) : stream;
  }

  /**
   * Its workers count as ended only once the agent must have ended. It may be disconnected while they still
   * work.
   */
  giveUp(): void {
    this.#isGivenUp = true;
    this.send({ type: 'end', reason: 'A worker did not end in time.' });
  }

  abandon(): void {
    this.#isAbandoned = true;
    if (!this.#agent) this.#die();
  }

  #die(): void {
    clearTimeout(this.#silence);
    this.#agent?.link.close();
    this.#agent = null;
    this.streams.close();
    this.#log.error({ node: this.#id }, 'gave up on the node and its workers');
    this.#events.died();
  }

  /** The agent has already cleaned up. */
  async cleanUp(): Promise<void> {}

  detach(): void {
    clearTimeout(this.#silence);
    this.#agent?.link.close();
    this.#agent = null;
  }

  async close(): Promise<void> {
    clearTimeout(this.#silence);
    this.streams.close();
    const agent = this.#agent;
    if (!agent) return;
    agent.link.send({ type: 'end', reason: null });
    await Promise.race([agent.link.closed, sleep(END_MS, undefined, { ref: false })]);
    agent.link.close();
  }
}
