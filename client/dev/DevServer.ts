/**
 * The dev server of one project: finds it wherever it was started, and starts and stops it. Its state comes from its
 * record and its socket.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DevMessage, DevRecord } from '../../runtime/contract/devSocket.ts';
import { ToolkitError } from '../../runtime/contract/errors.ts';
import type { Core, Surroundings } from '../core/Core.ts';
import { DevConnection } from './DevConnection.ts';
import { readFailure, readNotes, spawnDev } from './spawnDev.ts';

/** In milliseconds. Delay before following the records again, after the core process has ended. */
const RETRY_MS = 1_000;

/** The URL and token for requests to a dev server. */
export interface DevAddress {
  /** Without a path, as in `http://localhost:8888`. */
  url: string;
  /** Null if only this machine can connect. */
  token: string | null;
}

/** A running dev server. */
export interface RunningDev extends DevAddress {
  /** Whether an editor started it, so that editors can stop it. */
  startedHere: boolean;
}

interface DevServerOptions {
  root: string;
  core: Core;
  /** Path of the bundled `cli.js`. */
  script: string;
  /** Folder for the output of processes. */
  logs: string;
  surroundings: () => Promise<Surroundings>;
  /** Null for the project's default. */
  environment: () => string | null;
  /** The port to try first. */
  port: () => number;
  /** The run that this window started last. It is preferred over newer ones. */
  startedRun: { get(): string | undefined; set(run: string): void };
  log: (text: string) => void;
}

export class DevServer implements vscode.Disposable {
  readonly #options: DevServerOptions;
  readonly #changed = new vscode.EventEmitter<RunningDev | null>();
  readonly #messages = new vscode.EventEmitter<DevMessage>();
  readonly #notes = new vscode.EventEmitter<string>();
  /** Fires when the dev server is ready, and when it has ended. */
  readonly onDidChange = this.#changed.event;
  readonly onMessage = this.#messages.event;
  /** Messages about its start. */
  readonly onNote = this.#notes.event;
  readonly #ending = new AbortController();
  readonly #lookedUp = Promise.withResolvers<void>();
  #connection: DevConnection | null = null;
  #running: RunningDev | null = null;
  #starting: Promise<RunningDev> | null = null;

  constructor(options: DevServerOptions) {
    this.#options = options;
    void this.#follow();
  }

  /** Null while none is known to run. */
  get running(): RunningDev | null {
    return this.#running;
  }

  /** The running dev server, after the first search has ended. */
  async find(): Promise<RunningDev | null> {
    await this.#lookedUp.promise;
    return this.#running;
  }

  /**
   * Returns the running dev server, or starts one.
   *
   * @param port - The port to try first; null for the one in the settings.
   * @throws ToolkitError for everything that a user can fix, INTERRUPTED after an abort.
   */
  async start(signal: AbortSignal, port: number | null = null): Promise<RunningDev> {
    const found = await this.find();
    if (found) return found;
    this.#starting ??= this.#launch(signal, port).finally(() => (this.#starting = null));
    return this.#starting;
  }

  /** Stops the dev server and its live endpoints, if an editor started it. */
  async stop(): Promise<void> {
    const record = this.#connection?.record;
    if (!record?.attached || !this.#running) return;
    const stopped = this.#until((running) => running === null, this.#ending.signal);
    process.kill(record.pid, 'SIGTERM');
    await stopped;
  }

  /** Makes it accept a host name, such as that of a port forwarded by the editor. */
  async allowHost(host: string): Promise<void> {
    await this.#connection?.allowHost(host);
  }

  dispose(): void {
    this.#ending.abort();
    this.#connection?.close();
    this.#changed.dispose();
    this.#messages.dispose();
    this.#notes.dispose();
  }

  async #follow(): Promise<void> {
    const { core, root, log } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        const onLine = (records: DevRecord[]) => this.#take(records);
        await core.call('dev records', { project: root, flags: { follow: true }, signal, onLine });
      } catch (error) {
        if (signal.aborted) return;
        log(String(error));
        this.#lookedUp.resolve();
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Attaches to the dev server that this window started, else to the newest. */
  #take(records: readonly DevRecord[]): void {
    if (this.#ending.signal.aborted) return;
    const started = this.#options.startedRun.get();
    const record = records.find(({ run }) => run === started) ?? records[0];
    if (!record) {
      if (!this.#connection) this.#lookedUp.resolve();
      return;
    }
    if (record.run === this.#connection?.record.run) return;
    this.#connection?.close();
    const connection: DevConnection = new DevConnection(record, {
      onMessage: (message) => {
        if (this.#connection === connection) this.#receive(record, message);
      },
      onClose: () => {
        if (this.#connection === connection) this.#lose();
      },
    });
    this.#connection = connection;
  }

  #receive({ attached }: DevRecord, message: DevMessage): void {
    if (message.event === 'ready') {
      this.#running = { url: message.url, token: message.token, startedHere: attached };
      this.#lookedUp.resolve();
      this.#changed.fire(this.#running);
    }
    this.#messages.fire(message);
  }

  #lose(): void {
    this.#connection = null;
    this.#lookedUp.resolve();
    if (this.#ending.signal.aborted || this.#running === null) return;
    this.#running = null;
    this.#changed.fire(null);
  }

  async #launch(signal: AbortSignal, port: number | null): Promise<RunningDev> {
    const { script, root, logs, surroundings, environment, startedRun } = this.#options;
    await mkdir(logs, { recursive: true });
    const output = path.join(logs, `dev-${Date.now()}.log`);
    const { variables, keys } = await surroundings();
    if (signal.aborted) throw new ToolkitError('INTERRUPTED', 'Cancelled.');
    const child = await spawnDev({
      script,
      root,
      environment: environment(),
      variables,
      keys,
      output,
      port: port ?? this.#options.port(),
    });
    const cancel = () => child.kill();
    signal.addEventListener('abort', cancel, { once: true });
    const exit = new AbortController();
    const onExit = () => exit.abort();
    child.once('exit', onExit);
    if (child.exitCode !== null) onExit();
    try {
      const running = await this.#until(() => this.#connection?.record.pid === child.pid, exit.signal);
      if (running === null) {
        if (signal.aborted) throw new ToolkitError('INTERRUPTED', 'Cancelled.');
        throw await readFailure(output);
      }
      startedRun.set(this.#connection!.record.run);
      for (const note of await readNotes(output)) this.#notes.fire(note);
      return running;
    } finally {
      signal.removeEventListener('abort', cancel);
      child.off('exit', onExit);
    }
  }

  /** The next state that matches a condition; null once the signal is aborted. */
  async #until(
    isIt: (running: RunningDev | null) => boolean,
    signal: AbortSignal,
  ): Promise<RunningDev | null> {
    const { promise, resolve } = Promise.withResolvers<RunningDev | null>();
    const listening = this.#changed.event((running) => {
      if (isIt(running)) resolve(running);
    });
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
    try {
      return await promise;
    } finally {
      listening.dispose();
    }
  }
}
