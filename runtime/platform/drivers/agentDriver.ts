/** Runs workers by the node agent of this machine, which holds their supervisors and lives through a restart of ours. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  AGENT_FILES,
  type RunningWorker,
  type WorkerExit,
  type WorkerOrder,
} from '../../contract/agentProtocol.ts';
import type { Interpreters } from '../interpreters.ts';
import type { Log } from '../log.ts';
import { AgentHost, type WorkerReported } from './agentHost.ts';
import { agentSocketPath } from './agentSocket.ts';
import { killLeftOvers } from './killLeftOvers.ts';
import type { WorkerDriver, WorkerEvents } from './workerDriver.ts';

/** How long after a worker's grace its end must be told, or the agent itself hangs. */
const STOP_MS = 10_000;
/** Of a worker whose end nobody saw. */
const GONE: WorkerExit = { code: null, signal: null };

export interface AgentDriverContext {
  /** TOOLKIT_HOME. */
  home: string;
  /** The platform's folder: logs and the workers' private folders are made in it. */
  folder: string;
  /** The node's cache. */
  cache: string;
  /** Wheel or folder with toolkit_sdk. */
  workerPackage: string;
  /** The platform's address as workers reach it. */
  workerUrl: string;
  interpreters: Interpreters;
  log: Log;
}

interface Running {
  /** The grace of the last stop that was asked for, milliseconds. */
  grace: number | null;
  isEnding: boolean;
  /** Resolves when nothing of the worker runs any more. */
  gone: PromiseWithResolvers<void>;
}

export class AgentDriver implements WorkerDriver {
  readonly #context: AgentDriverContext;
  readonly #logs: string;
  readonly #work: string;
  readonly #host: AgentHost;
  readonly #running = new Map<string, Running>();
  #events: WorkerEvents | null = null;

  constructor(context: AgentDriverContext) {
    const { home, folder, cache, workerPackage, log } = context;
    this.#context = context;
    this.#logs = path.join(folder, 'logs');
    this.#work = path.join(folder, 'workers');
    this.#host = new AgentHost({
      program: {
        workerPackage,
        folder,
        log: path.join(folder, AGENT_FILES.log),
        start: {
          socket: agentSocketPath(folder),
          lock: path.join(folder, AGENT_FILES.lock),
          logs: this.#logs,
          work: this.#work,
          cache,
          home,
        },
      },
      python: () => this.#python(),
      events: {
        greeted: (workers) => this.#greeted(workers),
        reported: (report) => this.#reported(report),
        died: () => this.#keepOnly(new Set()),
      },
      log,
    });
  }

  async open(former: string[], events: WorkerEvents): Promise<void> {
    this.#events = events;
    for (const worker of former) this.#running.set(worker, newRunning());
    for (const folder of [this.#logs, this.#work]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    await this.#host.open();
    if (former.length === 0) return;
    try {
      await this.#host.connected();
    } catch (error) {
      this.#context.log.error({ err: error }, 'the workers of the last platform are gone');
      this.#keepOnly(new Set());
    }
    const ending = [...this.#running.values()].filter(({ isEnding }) => isEnding);
    await Promise.all(ending.map(({ gone }) => gone.promise));
  }

  async start(order: WorkerOrder): Promise<void> {
    await this.#host.connected();
    this.#running.set(order.worker, newRunning());
    if (this.#host.send({ type: 'start', order })) return;
    this.#running.delete(order.worker);
    throw new Error('the node agent ended');
  }

  async stop(worker: string, grace: number): Promise<void> {
    const running = this.#running.get(worker);
    if (!running) return;
    running.grace = grace;
    this.#host.send({ type: 'stop', worker, grace });
    const timer = setTimeout(() => {
      this.#context.log.error({ worker }, 'the node agent did not end a worker, and is killed');
      this.#host.kill();
    }, grace + STOP_MS);
    await running.gone.promise;
    clearTimeout(timer);
  }

  stopJobs(worker: string, jobs: string[]): void {
    if (this.#running.has(worker)) this.#host.send({ type: 'stop-jobs', worker, jobs });
  }

  close(): Promise<void> {
    return this.#host.close();
  }

  logFolder(endpointId: string): string {
    return path.join(this.#logs, endpointId);
  }

  async forget(endpointId: string): Promise<void> {
    await rm(this.logFolder(endpointId), { recursive: true, force: true });
  }

  /** The newest one: any that runs workers runs the agent. */
  async #python(): Promise<string> {
    const found = [...(await this.#context.interpreters.all())];
    const newest = found.toSorted(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))[0];
    if (!newest) throw new Error('this machine has no Python that runs workers');
    return newest[1];
  }

  #greeted(workers: RunningWorker[]): void {
    const kept = new Set<string>();
    for (const { worker, platform, state, reason, lines, address } of workers) {
      const running = this.#running.get(worker);
      if (!running || platform !== this.#context.workerUrl) {
        this.#host.send({ type: 'stop', worker, grace: 0 });
        continue;
      }
      kept.add(worker);
      if (running.grace !== null) this.#host.send({ type: 'stop', worker, grace: running.grace });
      this.#events?.resumed(worker, { state, reason, lines, address });
    }
    this.#keepOnly(kept);
  }

  #reported(report: WorkerReported): void {
    if (report.type === 'leases') {
      this.#events?.holding(report.workers);
    } else if (report.type === 'ended') {
      void this.#end(report.worker, { code: report.code, signal: report.signal });
    } else if (this.#running.get(report.worker)?.isEnding === false) {
      const { state, reason, lines, address } = report;
      this.#events?.reported(report.worker, { state, reason, lines, address });
    }
  }

  #keepOnly(workers: ReadonlySet<string>): void {
    for (const worker of this.#running.keys()) if (!workers.has(worker)) void this.#end(worker, GONE);
  }

  /** A worker's end takes all along that it started. */
  async #end(worker: string, exit: WorkerExit): Promise<void> {
    const running = this.#running.get(worker);
    if (!running || running.isEnding) return;
    running.isEnding = true;
    await killLeftOvers(worker);
    this.#running.delete(worker);
    this.#events?.ended(worker, exit);
    running.gone.resolve();
    await rm(path.join(this.#work, worker), { recursive: true, force: true }).catch((error: unknown) =>
      this.#context.log.warn({ err: error, worker }, "a worker's folder was not removed"),
    );
  }
}

function newRunning(): Running {
  return { grace: null, isEnding: false, gone: Promise.withResolvers() };
}
