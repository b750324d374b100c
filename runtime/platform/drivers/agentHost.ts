/** Keeps the one agent of this home: starts it when it is needed, takes up the one that runs, sees when it is gone. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AGENT_PROTOCOL,
  type AgentOrder,
  type AgentReport,
  type RunningWorker,
} from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { Log } from '../log.ts';
import { AgentLink } from './agentLink.ts';
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

/** From the start of an agent to its hello. */
const HELLO_MS = 20_000;
/** An agent that runs dials again more often than this. */
const REDIAL_MS = 1_000;
/** How long an agent that lives may be without a connection. */
const LOST_MS = 10_000;
/** How long an agent may take to end. */
const END_MS = 5_000;

export type WorkerReported = Exclude<AgentReport, { type: 'hello' }>;

interface AgentHostEvents {
  /** An agent has dialled; workers that it does not name have ended. */
  greeted(workers: RunningWorker[]): void;
  reported(report: WorkerReported): void;
  /** The agent's process has ended, and no other one has dialled. */
  died(): void;
}

export interface AgentHostContext {
  program: AgentProgram;
  /** The interpreter that runs the agent. */
  python(): Promise<string>;
  events: AgentHostEvents;
  log: Log;
}

interface Agent extends ProcessIdentity {
  link: AgentLink;
}

export class AgentHost {
  readonly #context: AgentHostContext;
  #socket: AgentSocket | null = null;
  /** The agent that is connected. */
  #agent: Agent | null = null;
  /** Until a former agent has dialled again or is gone. */
  #losing: Promise<void> | null = null;
  #connecting: Promise<void> | null = null;
  #greeting = Promise.withResolvers<'greeted'>();

  constructor(context: AgentHostContext) {
    this.#context = context;
  }

  /** From now on an agent that runs can dial. */
  async open(): Promise<void> {
    const { program } = this.#context;
    this.#socket = await AgentSocket.open(program.start.socket, (socket) => this.#accept(socket));
  }

  /**
   * Waits for an agent; starts one when none runs.
   *
   * @throws Error when none dials.
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

  /** Kills an agent that does not do what it was told; `died` follows. */
  kill(): void {
    if (this.#agent) killAgent(this.#agent);
  }

  /** Ends the agent, and listens no more. */
  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    await this.#losing;
    const agent = this.#agent;
    this.#agent = null;
    await this.#socket?.close();
    if (agent) {
      agent.link.send({ type: 'end' });
      await awaitEnd(agent, END_MS);
      agent.link.close();
    }
    await this.#killAll();
  }

  async #connect(): Promise<void> {
    const { program, python, log } = this.#context;
    const deadline = performance.now() + HELLO_MS;
    for (;;) {
      await this.#losing;
      if (this.#agent) return;
      const left = deadline - performance.now();
      if (left <= 0) break;
      const greeted = this.#greeting.promise;
      // An agent that runs dials sooner than an interpreter is found.
      const interpreter = await Promise.race([greeted.then(() => null), python()]);
      if (interpreter === null || this.#agent) continue;
      const { pid, ended } = await spawnAgent(program, interpreter);
      log.info({ pid }, 'node agent started');
      const came = await Promise.race([greeted, ended, sleep(left, 'late' as const, { ref: false })]);
      if (came === 'greeted' || came === 'late') continue;
      if (came.code !== 0) {
        const how = came.code === null ? `signal ${came.signal}` : `exit code ${came.code}`;
        throw new Error(`the node agent ended with ${how}; ${program.log} says why`);
      }
      // Another one holds the lock. It dials soon, unless it is on its way out: then the next one gets the lock.
      await Promise.race([greeted, sleep(REDIAL_MS, undefined, { ref: false })]);
    }
    await this.#killAll();
    throw new Error(`the node agent did not answer within ${HELLO_MS / 1000} s; ${program.log} may say why`);
  }

  #accept(socket: Socket): void {
    const link: AgentLink = new AgentLink(socket, {
      reported: (report) => this.#hear(link, report),
      closed: () => this.#closed(link),
    });
  }

  #hear(link: AgentLink, report: AgentReport): void {
    const isCurrent = this.#agent?.link === link;
    if (report.type === 'hello' && !isCurrent) this.#greet(link, report);
    else if (report.type === 'hello' || !isCurrent) link.close();
    else {
      if (report.type === 'leases') link.send({ type: 'alive' });
      this.#context.events.reported(report);
    }
  }

  #greet(link: AgentLink, hello: Extract<AgentReport, { type: 'hello' }>): void {
    const { log, events } = this.#context;
    const { pid, protocol, version, workers } = hello;
    const found = identify(pid);
    if (!found) return link.close();
    const former = this.#agent;
    const agent: Agent = { ...found, link };
    this.#agent = agent;
    former?.link.close();
    log.info({ pid, protocol, version, workers: workers.length }, 'node agent connected');
    if (protocol === AGENT_PROTOCOL) {
      link.send({ type: 'welcome', leaseInterval: WORKER_LIMITS.pingInterval / 1000 });
      events.greeted(workers);
    } else {
      this.#agent = null;
      link.send({ type: 'end' });
      this.#lose(awaitEnd(agent, END_MS));
    }
    this.#greeting.resolve('greeted');
    this.#greeting = Promise.withResolvers<'greeted'>();
  }

  #closed(link: AgentLink): void {
    const agent = this.#agent;
    if (agent?.link !== link) return;
    this.#agent = null;
    this.#context.log.warn({ pid: agent.pid }, 'the connection of the node agent ended');
    this.#lose(this.#awaitRedial(agent));
  }

  /** While the process lives it will dial again; one that does not is stuck. */
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
