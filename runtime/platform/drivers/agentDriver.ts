/**
 * Runs workers through node agents, which outlive a restart of the platform: one agent on this machine, and
 * those that connect from other machines.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import {
  AGENT_FILES,
  LOCAL_NODE,
  type RunningWorker,
  type WorkerExit,
  type WorkerOrder,
} from '../../contract/agentProtocol.ts';
import type { Interpreters } from '../interpreters.ts';
import type { Log } from '../log.ts';
import type { AgentNode, NodeEvents, WorkerReported } from './agentNode.ts';
import { LocalNode } from './localNode.ts';
import { RemoteNodes } from './remoteNodes.ts';
import type { PlacedWorker, WorkerDriver, WorkerEvents, WorkerNode, WorkerSocket } from './workerDriver.ts';
import type { WorkerLog } from './workerLogs.ts';
import { refusal, WorkerStream } from './workerStream.ts';

/** An agent that has not reported the end of a worker this long after its grace period counts as hung. */
const STOP_MS = 10_000;
/** The exit of a worker whose end was not observed. */
const GONE: WorkerExit = { code: null, signal: null };

export interface AgentDriverContext {
  /** TOOLKIT_HOME. */
  home: string;
  /** The platform's folder. Logs and the workers' private folders are created in it. */
  folder: string;
  /** The node's cache. */
  cache: string;
  /** Wheel or folder with toolkit_sdk. */
  workerPackage: string;
  /** Shared with the agents through a file in the folder. */
  agentSecret: string;
  /** The platform's address for workers on this machine. */
  workerUrl: string;
  interpreters: Interpreters;
  /** The ids of all deployed endpoints. */
  endpoints(): string[];
  /** Path of the uv for base layers; it may be installed later. */
  uv: string | null;
  log: Log;
}

interface Running {
  node: string;
  /** Where it listens, as it has reported. */
  address: string | null;
  /** The grace period of the last stop order, milliseconds. */
  grace: number | null;
  isEnding: boolean;
  /** Resolves when nothing of the worker runs any more. */
  gone: PromiseWithResolvers<void>;
}

export class AgentDriver implements WorkerDriver {
  readonly #context: AgentDriverContext;
  readonly #logs: string;
  readonly #work: string;
  readonly #local: LocalNode;
  readonly #remote: RemoteNodes;
  readonly #running = new Map<string, Running>();
  #events: WorkerEvents | null = null;
  /** Connections that arrived before `open`. */
  readonly #early: Duplex[] = [];

  constructor(context: AgentDriverContext) {
    const { home, folder, cache, workerPackage, agentSecret, workerUrl, interpreters, uv, log } = context;
    this.#context = context;
    this.#logs = path.join(folder, 'logs');
    this.#work = path.join(folder, 'workers');
    const socket = path.join(folder, AGENT_FILES.socket);
    this.#local = new LocalNode({
      program: {
        workerPackage,
        folder,
        log: path.join(folder, AGENT_FILES.log),
        start: {
          node: LOCAL_NODE,
          platform: `unix:${socket}`,
          token: path.join(folder, AGENT_FILES.token),
          lock: path.join(folder, AGENT_FILES.lock),
          logs: this.#logs,
          work: this.#work,
          cache,
          home,
        },
      },
      secret: agentSecret,
      socket,
      interpreters,
      workerUrl,
      uv,
      events: this.#eventsOf(LOCAL_NODE),
      log,
    });
    this.#remote = new RemoteNodes((node) => this.#eventsOf(node), log);
  }

  /**
   * Accepts the connection of an agent on another machine after its secret was checked. It waits until `open`
   * has listed the workers that the agent may have.
   */
  accept(socket: Duplex): void {
    if (this.#events) this.#remote.accept(socket);
    else this.#early.push(socket);
  }

  /**
   * Likewise accepts a worker's connection from another machine; false if no stream with this number is
   * awaited.
   */
  carry(stream: string, socket: Duplex): boolean {
    return this.#remote.carry(stream, socket);
  }

  async open(former: PlacedWorker[], events: WorkerEvents): Promise<void> {
    this.#events = events;
    for (const { worker, node } of former) {
      this.#running.set(worker, newRunning(node));
      if (node !== LOCAL_NODE) this.#remote.expect(node);
    }
    for (const socket of this.#early.splice(0)) this.#remote.accept(socket);
    for (const folder of [this.#logs, this.#work]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    await this.#local.listen();
    if (!former.some(({ node }) => node === LOCAL_NODE)) return;
    try {
      await this.#local.connected();
    } catch (error) {
      this.#context.log.error({ err: error }, 'the workers of the previous platform process are lost');
      this.#keepOnly(LOCAL_NODE, new Set());
    }
    const ending = [...this.#running.values()].filter(({ isEnding }) => isEnding);
    await Promise.all(ending.map(({ gone }) => gone.promise));
  }

  async capacity(): Promise<WorkerNode[]> {
    const asked = await Promise.allSettled(this.#nodes().map((node) => node.open()));
    const found = asked.flatMap((answer) => (answer.status === 'fulfilled' && answer.value) || []);
    const failed = asked.find((answer) => answer.status === 'rejected');
    if (failed && found.length === 0) throw failed.reason;
    if (failed)
      this.#context.log.error({ err: failed.reason as unknown }, 'no worker can be started on this machine');
    return found;
  }

  remoteNodes(): WorkerNode[] {
    return this.#remote.all().flatMap(({ node }) => node ?? []);
  }

  async start(order: WorkerOrder, node: string): Promise<void> {
    if (node === LOCAL_NODE) await this.#local.connected();
    this.#running.set(order.worker, newRunning(node));
    let isSent = false;
    try {
      isSent = this.#node(node)?.send({ type: 'start', order }) ?? false;
    } finally {
      // Also when the order exceeds the size of a frame.
      if (!isSent) this.#running.delete(order.worker);
    }
    if (!isSent) throw new Error('the node agent ended');
  }

  async stop(worker: string, grace: number): Promise<void> {
    const running = this.#running.get(worker);
    if (!running) return;
    running.grace = grace;
    const node = this.#node(running.node);
    node?.send({ type: 'stop', worker, grace });
    const timer = setInterval(() => {
      this.#context.log.error({ worker }, 'the node agent did not stop a worker in time; giving up on it');
      node?.giveUp();
    }, grace + STOP_MS);
    await running.gone.promise;
    clearInterval(timer);
  }

  stopJobs(worker: string, jobs: string[]): void {
    const running = this.#running.get(worker);
    if (running) this.#node(running.node)?.send({ type: 'stop-jobs', worker, jobs });
  }

  connect(worker: string, onData?: (bytes: Buffer) => void): WorkerSocket {
    const { node = '', address = null } = this.#running.get(worker) ?? {};
    const reached = address === null ? null : this.#node(node)?.connect(worker, address, onData);
    return reached ?? new WorkerStream(Promise.reject(refusal('The worker does not listen.')));
  }

  abandonUnreached(): void {
    this.#remote.abandonUnreached();
  }

  async close(): Promise<void> {
    await Promise.all([this.#local.close(), this.#remote.close()]);
  }

  /** Disconnects from all agents. They keep running with their workers and dial the next platform. */
  async detach(): Promise<void> {
    for (const socket of this.#early) socket.destroy();
    this.#remote.detach();
    await this.#local.detach();
  }

  async logs(endpoint: string): Promise<WorkerLog[]> {
    return (await Promise.all(this.#nodes().map(({ logs }) => logs.of(endpoint)))).flat();
  }

  note({ worker, node }: PlacedWorker, endpoint: string, line: string): void {
    this.#node(node)?.logs.note(endpoint, worker, line);
  }

  async forget(endpoint: string): Promise<void> {
    await Promise.all(this.#nodes().map(({ logs }) => logs.forget(endpoint)));
  }

  #nodes(): AgentNode[] {
    return [this.#local, ...this.#remote.all()];
  }

  #node(id: string): AgentNode | null {
    return id === LOCAL_NODE ? this.#local : this.#remote.get(id);
  }

  #eventsOf(node: string): NodeEvents {
    return {
      greeted: (workers) => this.#greeted(node, workers),
      reported: (report) => this.#reported(node, report),
      died: () => this.#keepOnly(node, new Set()),
    };
  }

  #greeted(node: string, workers: RunningWorker[]): void {
    const kept = new Set<string>();
    for (const { worker, endpoint: _endpoint, platform, ...report } of workers) {
      const running = this.#running.get(worker);
      // Workers on this machine may still use the platform's previous address.
      const isLost = node === LOCAL_NODE && platform !== this.#context.workerUrl;
      if (running?.node !== node || isLost) {
        this.#node(node)?.send({ type: 'stop', worker, grace: 0 });
        continue;
      }
      kept.add(worker);
      if (running.grace !== null) this.#node(node)?.send({ type: 'stop', worker, grace: running.grace });
      const { address, ...state } = report;
      running.address = address;
      this.#events?.resumed(worker, { ...state, listens: address !== null });
    }
    this.#keepOnly(node, kept);
    // Drops the logs of endpoints that were removed while the agent was away.
    this.#node(node)?.send({ type: 'keep-logs', endpoints: this.#context.endpoints() });
  }

  #reported(node: string, report: WorkerReported): void {
    const isHere = (worker: string) => this.#running.get(worker)?.node === node;
    if (report.type === 'leases') {
      const held = Object.entries(report.workers).filter(([worker]) => isHere(worker));
      this.#events?.holding(Object.fromEntries(held));
    } else if (!isHere(report.worker)) {
      return;
    } else if (report.type === 'ended') {
      void this.#end(report.worker, { code: report.code, signal: report.signal });
    } else {
      const running = this.#running.get(report.worker);
      if (!running || running.isEnding) return;
      const { state, reason, lines, address } = report;
      running.address = address;
      this.#events?.reported(report.worker, { state, reason, lines, listens: address !== null });
    }
  }

  /** All other workers of the node have ended. */
  #keepOnly(node: string, kept: ReadonlySet<string>): void {
    for (const [worker, running] of this.#running) {
      if (running.node === node && !kept.has(worker)) void this.#end(worker, GONE);
    }
  }

  async #end(worker: string, exit: WorkerExit): Promise<void> {
    const running = this.#running.get(worker);
    if (!running || running.isEnding) return;
    running.isEnding = true;
    try {
      await this.#node(running.node)?.cleanUp(worker);
    } catch (error) {
      this.#context.log.error({ err: error, worker }, 'processes that a worker left behind were not ended');
    }
    this.#running.delete(worker);
    this.#events?.ended(worker, exit);
    running.gone.resolve();
  }
}

function newRunning(node: string): Running {
  return { node, address: null, grace: null, isEnding: false, gone: Promise.withResolvers() };
}
