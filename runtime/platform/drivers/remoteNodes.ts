/** The nodes on other machines: those whose agents are connected, and those that may connect again. */
import type { Duplex } from 'node:stream';
import { type AgentHello, LOCAL_NODE } from '../../contract/agentProtocol.ts';
import type { Log } from '../log.ts';
import { AgentLink } from './agentLink.ts';
import { foreignProtocol, type NodeEvents } from './agentNode.ts';
import { RemoteNode } from './remoteNode.ts';

export class RemoteNodes {
  readonly #nodes = new Map<string, RemoteNode>();
  /** Includes connections of refused agents. */
  readonly #links = new Set<AgentLink>();
  readonly #eventsOf: (node: string) => NodeEvents;
  readonly #log: Log;
  #isClosed = false;

  constructor(eventsOf: (node: string) => NodeEvents, log: Log) {
    this.#eventsOf = eventsOf;
    this.#log = log;
  }

  get(id: string): RemoteNode | null {
    return this.#nodes.get(id) ?? null;
  }

  all(): RemoteNode[] {
    return [...this.#nodes.values()];
  }

  /**
   * A node whose agent has connected, or may do so soon because it had workers under a former process of this
   * platform.
   */
  expect(id: string): RemoteNode {
    const known = this.#nodes.get(id);
    if (known) return known;
    const events = this.#eventsOf(id);
    const died = () => {
      this.#nodes.delete(id);
      events.died();
    };
    const node = new RemoteNode(id, { ...events, died }, this.#log);
    this.#nodes.set(id, node);
    return node;
  }

  /** Accepts an agent's connection after its secret was checked. */
  accept(socket: Duplex): void {
    if (this.#isClosed) return void socket.destroy();
    let node: RemoteNode | null = null;
    const link: AgentLink = new AgentLink(socket, {
      reported: (report) => {
        if (report.type === 'hello' && !node) node = this.#greet(link, report);
        else if (report.type === 'hello' || !node) link.close();
        else node.hear(link, report);
      },
      closed: () => {
        this.#links.delete(link);
        node?.lost(link);
      },
    });
    this.#links.add(link);
  }

  /** Accepts a worker's connection after its secret was checked; false if no node awaits its number. */
  carry(stream: string, socket: Duplex): boolean {
    return this.all().some(({ streams }) => streams.carry(stream, socket));
  }

  /**
   * The platform is stopping and does not wait for nodes that it cannot reach. Their agents end the workers.
   */
  abandonUnreached(): void {
    for (const node of this.all()) node.abandon();
  }

  /** Disconnects from all agents. */
  detach(): void {
    this.#isClosed = true;
    for (const node of this.all()) node.detach();
    for (const link of this.#links) link.close();
  }

  /** Ends all agents. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.all().map((node) => node.close()));
    this.detach();
  }

  #greet(link: AgentLink, hello: AgentHello): RemoteNode | null {
    const { node: id, protocol } = hello;
    const refusal =
      foreignProtocol(hello) ??
      (id === LOCAL_NODE ? `The name "${LOCAL_NODE}" is reserved for the platform's own node.` : null) ??
      this.expect(id).greet(link, hello);
    if (refusal === null) return this.expect(id);
    this.#log.warn({ node: id, protocol, reason: refusal }, 'a node agent was refused');
    link.send({ type: 'end', reason: refusal });
    return null;
  }
}
