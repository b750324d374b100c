/**
 * The platform's own machine. Its agent is started when it is needed, or taken over if it is already running.
 * Notices when the agent ends.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AgentHello,
  type AgentOrder,
  type AgentReport,
  LOCAL_NODE,
  type NodeCapacity,
} from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Interpreters } from '../interpreters.ts';
import type { Log } from '../log.ts';
import { rotateLog } from '../rotateLog.ts';
import { AgentLink } from './agentLink.ts';
import { type AgentNode, foreignProtocol, type NodeEvents } from './agentNode.ts';
import {
  type AgentProgram,
  awaitEnd,
  findAgents,
  identify,
  isAlive,
  killAgent,
  type ProcessIdentity,
  spawnAgent,
} from './agentProcess.ts';
import { AgentSocket } from './agentSocket.ts';
import { killLeftovers } from './killLeftovers.ts';
import { LocalLogs } from './localLogs.ts';
import { connectTo } from './workerAddress.ts';
import type { WorkerNode } from './workerDriver.ts';

/** From the start of an agent to its hello. */
const HELLO_MS = 20_000;
/** A running agent dials again within this time. */
const REDIAL_MS = 1_000;
/**
 * An agent that is restarted dials within this time. Workers that can start on another node wait no longer.
 */
const RESTART_MS = 3_000;
/** Pause before the next attempt after an agent was killed during its start. */
const KILLED_MS = 100;
/** How long a running agent can be without a connection. */
const LOST_MS = 10_000;
/** How long an agent can take to end. */
const END_MS = 5_000;

export interface LocalNodeContext {
  program: AgentProgram;
  interpreters: Interpreters;
  /** The socket that the agent dials. */
  socket: string;
  /** The secret that the agent must know. */
  secret: string;
  /** The platform's address for workers. */
  workerUrl: string;
  /** Path of the uv for base layers; it may be installed later. */
  uv: string | null;
  events: NodeEvents;
  log: Log;
}

interface Agent extends ProcessIdentity {
  link: AgentLink;
  hello: AgentHello;
}

export class LocalNode implements AgentNode {
  readonly logs: LocalLogs;
  readonly #context: LocalNodeContext;
  #socket: AgentSocket | null = null;
  /** As reported by the last agent. */
  #capacity: NodeCapacity | null = null;
  /** The connected agent. */
  #agent: Agent | null = null;
  /** Resolves when a former agent has dialled again or has ended. */
  #losing: Promise<void> | null = null;
  #connecting: Promise<void> | null = null;
  #greeting = Promise.withResolvers<'greeted'>();

  constructor(context: LocalNodeContext) {
    this.#context = context;
    this.logs = new LocalLogs(context.program.start.logs, context.log);
  }

  /** Lets a running agent connect from now on. */
  async listen(): Promise<void> {
    this.#socket = await AgentSocket.open(this.#context.socket, (connection) => this.#accept(connection));
  }

  async open(): Promise<WorkerNode | null> {
    const { interpreters, workerUrl, uv, log } = this.#context;
    const connected = this.connected();
    if (this.#capacity === null) await connected;
    else {
      const failed = (error: unknown) =>
        log.error({ err: error }, 'no worker can be started on this machine');
      await Promise.race([connected.catch(failed), sleep(RESTART_MS, undefined, { ref: false })]);
    }
    if (this.#capacity === null) return null;
    const pythons = Object.fromEntries(await interpreters.all());
    return {
      id: LOCAL_NODE,
      capacity: { ...this.#capacity, pythons },
      isConnected: this.#agent !== null,
      platform: workerUrl,
      // A build may install it after the platform has started.
      uv: uv !== null && existsSync(uv) ? uv : null,
    };
  }

  /**
   * Waits for an agent; starts one if none is running.
   *
   * @throws Error if no agent connects.
   */
  connected(): Promise<void> {
    if (this.#agent) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** False when no agent is connected. */
  send(order: AgentOrder): boolean {
    if (!this.#agent?.link.open) return false;
    this.#agent.link.send(order);
    return true;
  }

  connect(_worker: string, address: string, onData?: (bytes: Buffer) => void): Socket {
    return connectTo(address, onData);
  }

  giveUp(): void {
    if (this.#agent) killAgent(this.#agent);
  }

  /** The agent may end before the processes that its workers started. */
  async cleanUp(worker: string): Promise<void> {
    await killLeftovers(worker);
    const { program, log } = this.#context;
    rm(path.join(program.start.work, worker), { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ err: error, worker }, "a worker's folder was not removed"),
    );
  }

  /** Disconnects from the agent and stops listening. */
  async detach(): Promise<void> {
    const agent = this.#agent;
    const socket = this.#socket;
    this.#agent = null;
    this.#socket = null;
    await socket?.close();
    agent?.link.close();
  }

  /** Ends the agent and stops listening. */
  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    await this.#losing;
    const agent = this.#agent;
    this.#agent = null;
    await this.detach();
    if (agent) {
      agent.link.send({ type: 'end', reason: null });
      await awaitEnd(agent, END_MS);
      agent.link.close();
    }
    await this.#killAll();
  }

  async #connect(): Promise<void> {
    const { program, log } = this.#context;
    const deadline = performance.now() + HELLO_MS;
    for (;;) {
      await this.#losing;
      if (this.#agent) return;
      const left = deadline - performance.now();
      if (left <= 0) break;
      const greeted = this.#greeting.promise;
      // A running agent dials before an interpreter is found.
      const interpreter = await Promise.race([greeted.then(() => null), this.#python()]);
      if (interpreter === null || this.#agent) continue;
      const { pid, ended } = await spawnAgent(program, interpreter);
      log.info({ pid }, 'node agent started');
      const came = await Promise.race([greeted, ended, sleep(left, 'late' as const, { ref: false })]);
      if (came === 'greeted' || came === 'late') continue;
      if (came.code === null) {
        // The signal came from outside, so a new agent can still start.
        log.warn({ pid, signal: came.signal }, 'the node agent was killed while it started');
        await sleep(KILLED_MS, undefined, { ref: false });
        continue;
      }
      if (came.code !== 0)
        throw new Error(`the node agent ended with exit code ${came.code}; see ${program.log}`);
      // Another agent holds the lock. It dials soon, unless it is about to end. In that case the next agent
      // gets the lock.
      await Promise.race([greeted, sleep(REDIAL_MS, undefined, { ref: false })]);
    }
    await this.#killAll();
    throw new Error(`the node agent did not respond within ${HELLO_MS / 1000} s; see ${program.log}`);
  }

  /** The newest interpreter. Any version that can run workers can run the agent. */
  async #python(): Promise<string> {
    const found = [...(await this.#context.interpreters.all())];
    const newest = found.toSorted(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))[0];
    if (!newest) throw new Error('this machine has no Python that runs workers');
    return newest[1];
  }

  #accept(socket: Socket): void {
    const link: AgentLink = new AgentLink(
      socket,
      {
        reported: (report) => this.#hear(link, report),
        closed: () => this.#closed(link),
        outdated: (hello) => this.#endOutdated(link, hello).catch(() => link.close()),
      },
      this.#context.secret,
    );
  }

  #hear(link: AgentLink, report: AgentReport): void {
    const isCurrent = this.#agent?.link === link;
    if (report.type === 'hello' && !isCurrent) this.#greet(link, report);
    else if (report.type === 'hello' || !isCurrent) link.close();
    else if (report.type !== 'logs' && report.type !== 'log' && report.type !== 'stream-failed') {
      if (report.type === 'leases') {
        link.send({ type: 'alive' });
        this.#rotateLog();
      }
      this.#context.events.reported(report);
    }
  }

  /** An agent can run for months. */
  #rotateLog(): void {
    try {
      rotateLog(this.#context.program.log);
    } catch (error) {
      this.#context.log.warn({ err: error }, "the node agent's log was not rotated");
    }
  }

  #greet(link: AgentLink, hello: AgentHello): void {
    const { log, events } = this.#context;
    const { pid, protocol, version, workers } = hello;
    const found = identify(pid);
    if (!found) return link.close();
    const former = this.#agent;
    const agent: Agent = { ...found, link, hello };
    this.#agent = agent;
    former?.link.close();
    log.info({ pid, protocol, version, workers: workers.length }, 'node agent connected');
    const foreign = foreignProtocol(hello);
    if (foreign === null) {
      this.#capacity = hello.capacity;
      link.send({
        type: 'welcome',
        leaseInterval: WORKER_LIMITS.pingInterval / 1000,
        patience: WORKER_LIMITS.orphanTimeout / 1000,
      });
      events.greeted(workers);
    } else {
      this.#agent = null;
      this.#endForeign(link, agent, foreign);
    }
    this.#heard();
  }

  /** Any process can claim to be an agent without a secret. It is believed only if it was started as one. */
  async #endOutdated(link: AgentLink, { protocol, pid }: { protocol: number; pid: number }): Promise<void> {
    const agents = await findAgents(this.#context.program.start);
    const agent = agents.find((each) => each.pid === pid);
    if (this.#agent || !agent || agents.some(({ isOutdated }) => !isOutdated)) return link.close();
    this.#context.log.info({ pid, protocol }, 'replacing the node agent of an older toolkit');
    this.#endForeign(link, agent, foreignProtocol({ protocol, version: 'an older version' }));
    this.#heard();
  }

  #endForeign(link: AgentLink, agent: ProcessIdentity, reason: string | null): void {
    link.send({ type: 'end', reason });
    this.#lose(awaitEnd(agent, END_MS));
  }

  #heard(): void {
    this.#greeting.resolve('greeted');
    this.#greeting = Promise.withResolvers<'greeted'>();
  }

  #closed(link: AgentLink): void {
    const agent = this.#agent;
    if (agent?.link !== link) return;
    this.#agent = null;
    this.#context.log.warn({ pid: agent.pid }, 'the connection to the node agent ended');
    this.#lose(this.#awaitRedial(agent));
  }

  /** A running agent dials again. One that does not is stuck and is killed. */
  async #awaitRedial(agent: Agent): Promise<void> {
    const dialled = new AbortController();
    void this.#greeting.promise.then(() => dialled.abort());
    const deadline = performance.now() + LOST_MS;
    while (isAlive(agent) && !this.#agent && performance.now() < deadline) {
      await sleep(20, undefined, { signal: dialled.signal }).catch(() => undefined);
    }
    if (!this.#agent) await awaitEnd(agent, 0);
  }

  #lose(gone: Promise<void>): void {
    const losing: Promise<void> = gone.then(() => {
      if (this.#losing === losing) this.#losing = null;
      if (!this.#agent) this.#context.events.died();
    });
    this.#losing = losing;
  }

  async #killAll(): Promise<void> {
    for (const agent of await findAgents(this.#context.program.start)) killAgent(agent);
  }
}
