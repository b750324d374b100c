/**
 * The platform's side of the store: units of operations go to the thread at once when it is idle; what arrives while
 * a commit is in flight goes into the next batch. A promise resolves after the commit.
 */
import { Worker } from 'node:worker_threads';
import { ToolkitError } from '../../contract/errors.ts';
import type { Operation, Operations, StoreFault, StoreMessage, UnitResult } from './thread.ts';

type Name = keyof Operations;

/** One operation with its arguments checked against the thread's table. */
export function operation<N extends Name>(name: N, ...args: Parameters<Operations[N]>): Operation {
  return { name, args };
}

interface Waiting {
  unit: Operation[];
  resolve: (values: unknown[]) => void;
  reject: (error: Error) => void;
}

export class Store {
  readonly #thread: Worker;
  #waiting: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #ended: Error | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /**
   * Opens the store; the file's folder is made when missing.
   *
   * @param entry The program's own module: loaded in a thread, it is the store's.
   * @returns null when another platform holds it.
   * @throws ToolkitError PLATFORM_NEWER, STORAGE_FULL, PLATFORM_START_FAILED.
   */
  static async open(file: string, entry: URL): Promise<Store | null> {
    const thread = new Worker(entry, { workerData: file });
    const store = new Store(thread);
    const opened = await new Promise<StoreMessage>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    if (opened.type === 'refused') {
      await thread.terminate();
      if (opened.fault.kind === 'locked') return null;
      throw openingError(file, opened.fault);
    }
    thread.on('message', (message: StoreMessage) => {
      if (message.type === 'results') store.#settle(message.results);
    });
    thread.on('error', (error) => store.#end(error));
    thread.on('exit', () => store.#end(new Error('The store is closed.')));
    return store;
  }

  /** Runs one operation; resolves with its result after the commit. */
  async run<N extends Name>(name: N, ...args: Parameters<Operations[N]>): Promise<ReturnType<Operations[N]>> {
    const [value] = await this.unit([operation(name, ...args)]);
    return value as ReturnType<Operations[N]>;
  }

  /**
   * Runs operations whole or not at all.
   *
   * @throws ToolkitError STORAGE_FULL when the disk is.
   */
  unit(unit: Operation[]): Promise<unknown[]> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, resolve, reject });
      if (this.#inFlight.length === 0) this.#send();
    });
  }

  /** Commits what waits, then closes. */
  async close(): Promise<void> {
    if (this.#ended) return;
    await this.unit([]);
    const exited = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.#thread.postMessage('close', []);
    await exited;
  }

  #send(): void {
    this.#inFlight = this.#waiting;
    this.#waiting = [];
    this.#thread.postMessage(
      this.#inFlight.map(({ unit }) => unit),
      [],
    );
  }

  #settle(results: UnitResult[]): void {
    const settled = this.#inFlight;
    this.#inFlight = [];
    if (this.#waiting.length > 0) this.#send();
    for (const [index, { resolve, reject }] of settled.entries()) {
      const result = results[index];
      if (result && 'values' in result) resolve(result.values);
      else reject(runningError(result?.fault));
    }
  }

  #end(error: Error): void {
    this.#ended = error;
    for (const { reject } of [...this.#inFlight, ...this.#waiting]) reject(error);
    this.#inFlight = [];
    this.#waiting = [];
  }
}

function openingError(file: string, fault: StoreFault): ToolkitError {
  if (fault.kind === 'newer') {
    return new ToolkitError(
      'PLATFORM_NEWER',
      `The platform's store ${file} was written by a newer toolkit.`,
      {
        hint: 'Update the toolkit, or set TOOLKIT_HOME to another folder.',
      },
    );
  }
  if (fault.kind === 'full') return storageFull();
  return new ToolkitError(
    'PLATFORM_START_FAILED',
    `The platform's store ${file} does not open: ${fault.message}.`,
    {
      hint: 'Move the file away to begin with an empty platform.',
    },
  );
}

function runningError(fault: StoreFault | undefined): Error {
  if (fault?.kind === 'full') return storageFull();
  return new Error(`The store failed: ${fault?.message ?? 'no result'}`);
}

function storageFull(): ToolkitError {
  return new ToolkitError('STORAGE_FULL', 'The platform could not write to its disk: nothing was accepted.', {
    hint: 'Free some space on the disk of TOOLKIT_HOME, then try again.',
  });
}
