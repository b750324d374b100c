/**
 * The workers of this platform. They are started by a driver, stored in the store, and identified by their
 * tokens.
 */
import { randomBytes } from 'node:crypto';
import { LOCAL_NODE, type WorkerExit } from '../../contract/agentProtocol.ts';
import { WORKER_LIMITS } from '../../contract/limits.ts';
import type { WorkerLogLine } from '../../contract/workerProtocol.ts';
import type { Keys } from '../auth/keys.ts';
import { hashSecret, newSecret } from '../auth/secret.ts';
import type { WorkerDriver, WorkerEvents, WorkerSocket, WorkerState } from '../drivers/workerDriver.ts';
import type { DeployedEndpoint, Endpoints } from '../endpoints.ts';
import type { PlatformEvents } from '../events.ts';
import type { Card } from '../hardware/findCards.ts';
import type { Gpus } from '../hardware/gpus.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { workerOrder } from './assignment.ts';
import { chooseNode } from './placement.ts';
import { decodePlacement, decodeWorker, encodeWorker, type Worker } from './worker.ts';

export interface WorkersContext {
  store: Store;
  driver: WorkerDriver;
  keys: Keys;
  gpus: Gpus;
  events: PlatformEvents;
  log: Log;
}

export class Workers {
  readonly #context: WorkersContext;
  readonly #workers = new Map<string, Worker>();
  readonly #byToken = new Map<string, Worker>();
  /** Worker → the promise of its start. */
  readonly #starting = new Map<string, Promise<void>>();

  constructor(context: WorkersContext) {
    this.#context = context;
  }

  get(id: string): Worker | null {
    return this.#workers.get(id) ?? null;
  }

  all(): Worker[] {
    return [...this.#workers.values()];
  }

  of(endpointId: string): Worker[] {
    return this.all().filter((worker) => worker.target.id === endpointId);
  }

  /**
   * The workers that serve an endpoint now: those of its current build that are neither draining nor silent.
   */
  serving(endpoint: DeployedEndpoint): Worker[] {
    return this.of(endpoint.id).filter(
      (worker) => worker.target.generation === endpoint.generation && !worker.draining && !isSilent(worker),
    );
  }

  byToken(token: string): Worker | null {
    return this.#byToken.get(hashSecret(token)) ?? null;
  }

  /**
   * Starts a worker.
   *
   * @param shareWith Workers whose cards it can share, because it replaces them.
   * @returns the worker, at once and still starting; `wait` while all cards are in use, `never` if no card is
   * suitable.
   */
  launch(target: DeployedEndpoint, shareWith: ReadonlySet<string> = new Set()): Worker | 'wait' | 'never' {
    const id = `w${randomBytes(7).toString('hex')}`;
    const reservation = this.#context.gpus.reserve(id, target, shareWith);
    if (typeof reservation === 'string') return reservation;
    const token = newSecret();
    const now = performance.now();
    const worker: Worker = {
      id,
      target,
      state: 'starting',
      importing: false,
      draining: false,
      tokenHash: hashSecret(token),
      node: reservation.cards[0]?.node ?? null,
      started: false,
      listens: false,
      wasReady: false,
      gatewaySecret: target.spec.kind === 'load-balanced' ? newSecret() : null,
      cards: reservation.cards.map((card) => card.index),
      startedAt: now,
      lastContact: now,
      idleSince: now,
      polls: 0,
      reason: null,
      lines: [],
    };
    this.#workers.set(id, worker);
    this.#byToken.set(worker.tokenHash, worker);
    const started = this.#start(worker, token, reservation.cards)
      .catch((error: unknown) => {
        this.#context.log.error({ err: error, worker: id, endpoint: target.id }, 'a worker did not start');
        worker.reason = `The worker did not start: ${error instanceof Error ? error.message : String(error)}.`;
        this.#forget(worker, false);
      })
      .finally(() => this.#starting.delete(id));
    this.#starting.set(id, started);
    return worker;
  }

  async #start(worker: Worker, token: string, cards: Card[]): Promise<void> {
    const { driver, gpus, keys, store, log } = this.#context;
    const { target } = worker;
    const node = chooseNode(await driver.capacity(), worker, this.all());
    worker.node = node.id;
    const key = await keys.workerKey(target.app, target.environment, target.run);
    // Store the row first, so that the next platform finds the worker if this one crashes here.
    await store.workers.put(encodeWorker(worker));
    await driver.start(workerOrder(worker, { token, key, cards }, node, gpus), node.id);
    worker.started = true;
    log.info(
      { worker: worker.id, node: node.id, endpoint: target.id, name: target.name, build: target.generation },
      'worker started',
    );
  }

  /**
   * Takes over the workers of a former process of this platform. Workers without a current build are stopped.
   */
  async adopt(endpoints: Endpoints): Promise<void> {
    const { store, driver, gpus } = this.#context;
    const rows = await store.workers.all();
    for (const row of rows) {
      const worker = decodeWorker(row, endpoints.get(row.endpoint));
      if (!worker) continue;
      this.#workers.set(worker.id, worker);
      this.#byToken.set(worker.tokenHash, worker);
      const node = worker.node ?? LOCAL_NODE;
      gpus.hold(
        worker.id,
        worker.cards.map((index) => ({ node, index })),
      );
    }
    await driver.open(rows.map(decodePlacement), this.#events());
    for (const { id } of rows) if (!this.#workers.has(id)) this.#abandon(id);
  }

  /** Ends a worker without an endpoint. Its node may not have connected yet. */
  #abandon(id: string): void {
    const { driver, store } = this.#context;
    this.#written(driver.stop(id, 0).then(() => store.workers.delete(id)));
  }

  #events(): WorkerEvents {
    const known = (id: string, then: (worker: Worker) => void) => {
      const worker = this.#workers.get(id);
      if (worker) then(worker);
    };
    return {
      resumed: (id, report) => known(id, (worker) => this.#resume(worker, report)),
      reported: (id, report) => known(id, (worker) => this.report(worker, report)),
      holding: (workers) => {
        for (const [id, jobs] of Object.entries(workers)) {
          known(id, (worker) => {
            // The supervisor is alive. For a command this says nothing about the worker, whose own requests
            // count.
            if (jobs !== null || worker.state === 'starting') this.heard(worker);
            this.#context.events.emit('workerHolds', worker, jobs);
          });
        }
      },
      ended: (id, exit) => known(id, (worker) => this.#exited(worker, exit)),
    };
  }

  #resume(worker: Worker, report: WorkerState): void {
    worker.listens = report.listens;
    // The driver does not know whether a command is ready. Its long polls and health checks show it.
    const isStarting = report.state === 'starting' || report.state === 'importing';
    if (isStarting && worker.state !== 'starting') this.heard(worker);
    else this.report(worker, report);
    this.#context.events.emit('workerResumed', worker);
  }

  /** Records a contact of a worker. */
  heard(worker: Worker): void {
    worker.lastContact = performance.now();
  }

  /** Counts all workers as heard, after a time in which the platform could not hear them. */
  grantContact(): void {
    for (const worker of this.#workers.values()) this.heard(worker);
  }

  /** Records that a worker got a job or ended one. A job can be shorter than the interval of the checks. */
  worked(worker: Worker): void {
    worker.idleSince = performance.now();
  }

  /**
   * Gives a worker no more work. It is stopped a moment after its last work, because a job that was just handed to it is
   * not counted yet.
   */
  drain(worker: Worker): void {
    worker.draining = true;
    worker.idleSince = performance.now();
  }

  report(worker: Worker, report: WorkerState): void {
    this.heard(worker);
    worker.importing = report.state === 'importing';
    const state = report.state === 'importing' ? 'starting' : report.state;
    if (state === 'starting') worker.startedAt = performance.now();
    worker.reason = report.reason;
    worker.lines = report.lines;
    worker.listens = report.listens;
    this.setState(worker, state);
  }

  setState(worker: Worker, state: Worker['state']): void {
    if (worker.state === state) return;
    worker.state = state;
    worker.wasReady ||= state === 'ready';
    worker.idleSince = performance.now();
    const { log, store, events } = this.#context;
    log.info({ worker: worker.id, endpoint: worker.target.id, state }, 'worker state');
    if (worker.started) this.#written(store.workers.put(encodeWorker(worker)));
    events.emit('workerChanged', worker);
  }

  /** Stops a worker. It drains, and is killed after the grace period (milliseconds). */
  async stop(worker: Worker, graceMs: number = WORKER_LIMITS.stopGrace): Promise<void> {
    worker.draining = true;
    await this.#starting.get(worker.id);
    if (!worker.started) return;
    await this.#context.driver.stop(worker.id, graceMs);
  }

  /** See WorkerDriver. */
  connect({ id }: Worker, onData?: (bytes: Buffer) => void): WorkerSocket {
    return this.#context.driver.connect(id, onData);
  }

  async stopAll(graceMs: number): Promise<void> {
    await Promise.all(this.all().map((worker) => this.stop(worker, graceMs)));
  }

  #exited(worker: Worker, exit: WorkerExit): void {
    if (worker.reason === null && !worker.draining) worker.reason = sentenceOf(exit);
    this.#context.log.info({ worker: worker.id, endpoint: worker.target.id, ...exit }, 'worker ended');
    if (!worker.draining) this.#note(worker, sentenceOf(exit));
    this.#forget(worker, exit.code === null && exit.signal === null);
  }

  #forget(worker: Worker, withNode: boolean): void {
    this.#workers.delete(worker.id);
    this.#byToken.delete(worker.tokenHash);
    this.#context.gpus.release(worker.id);
    this.#written(this.#context.store.workers.delete(worker.id));
    this.#context.events.emit('workerEnded', worker, withNode);
  }

  /** Adds a line by the platform to a worker's log. */
  #note(worker: Worker, message: string): void {
    const line: WorkerLogLine = {
      time: new Date().toISOString(),
      level: 'error',
      worker: worker.id,
      request: null,
      message,
    };
    if (worker.node === null) return;
    const placed = { worker: worker.id, node: worker.node };
    this.#context.driver.note(placed, worker.target.id, JSON.stringify(line));
  }

  #written(write: Promise<unknown>): void {
    write.catch((error: unknown) => this.#context.log.error({ err: error }, "a worker's row was not stored"));
  }
}

/** Whether a worker of a queue-based endpoint had no contact for a whole lease. */
export function isSilent(worker: Worker): boolean {
  return (
    worker.target.spec.kind === 'queue' &&
    worker.state !== 'starting' &&
    worker.polls === 0 &&
    performance.now() - worker.lastContact > WORKER_LIMITS.lease
  );
}

/**
 * Whether a load-balanced worker has served before and has stopped responding. A worker whose start failed
 * has never served.
 */
export function isUnresponsive({ target, state, lines }: Worker): boolean {
  return target.spec.kind === 'load-balanced' && state === 'unhealthy' && lines.length === 0;
}

function sentenceOf({ code, signal }: WorkerExit): string {
  if (signal !== null) return `The worker ended (signal ${signal}).`;
  return code === null
    ? 'The worker is gone; how it ended is unknown.'
    : `The worker ended (exit code ${code}).`;
}
