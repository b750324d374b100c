/** The platform's side of the store: its doors, which send calls to the store's thread. */
import { Worker } from 'node:worker_threads';
import { ToolkitError } from '../../contract/errors.ts';
import type { JobStore, QueueCounts } from '../jobs/jobStore.ts';
import type { Call, DoorName, Remote, RemoteDoors } from './doors.ts';
import { movedMemory } from './movedMemory.ts';
import { sqliteJobStore } from './sqliteJobStore.ts';
import type { StoreFault } from './storeFault.ts';
import type { CallResult, StoreMessage, StoreRequest } from './storeMessages.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * The store's thread keeps almost nothing of what it allocates, so its young generation gets little memory
 * (docs/decisions/41-memory-of-the-platform.md).
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 };

export class Store {
  readonly facts = this.#door('facts');
  readonly keys = this.#door('keys');
  readonly deployed = this.#door('deployed');
  readonly builds = this.#door('builds');
  readonly deployments = this.#door('deployments');
  readonly parts = this.#door('parts');
  readonly workers = this.#door('workers');
  readonly webhooks = this.#door('webhooks');
  readonly jobs: JobStore = sqliteJobStore(this.#door('jobs'), this.#door('jobEnds'));

  readonly #thread: Worker;
  /** Calls of this turn of the event loop, which are sent together. */
  #unsent: Call[] = [];
  /** Pending calls, in order. */
  readonly #waiting: Waiting[] = [];
  /** The number of the first pending call. */
  #first = 0;
  #listener: (queues: QueueCounts[]) => void = () => {};
  #ended: Error | null = null;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  /**
   * Opens the store. Creates the file's folder if it is missing.
   *
   * @param entry The program's own module. Loaded in a thread, it runs the store.
   * @returns null if another platform holds it.
   * @throws ToolkitError PLATFORM_NEWER, STORAGE_FULL, PLATFORM_START_FAILED.
   */
  static async open(file: string, entry: URL): Promise<Store | null> {
    const thread = new Worker(entry, { workerData: file, resourceLimits: THREAD_LIMITS });
    const opened = await new Promise<StoreMessage>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    if (opened.type === 'refused') {
      await thread.terminate();
      if (opened.fault.kind === 'locked') return null;
      throw openingError(file, opened.fault);
    }
    const store = new Store(thread);
    thread.on('message', (message: StoreMessage) => {
      if (message.type === 'early') store.#settleEarly(message.values, message.queues);
      if (message.type === 'results') store.#settle(message.results, message.queues);
    });
    thread.on('error', (error) => store.#end(error));
    thread.on('exit', () => store.#end(new Error('The store is closed.')));
    return store;
  }

  /** Registers a listener for changed queues. */
  onQueues(listener: (queues: QueueCounts[]) => void): void {
    this.#listener = listener;
  }

  /** Commits pending calls, then closes. */
  async close(): Promise<void> {
    if (this.#ended) return;
    const exited = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.#send();
    this.#post(null);
    await exited;
  }

  #door<Name extends DoorName>(door: Name): RemoteDoors[Name] {
    const call =
      (_target: object, method: string | symbol) =>
      (...args: unknown[]) =>
        this.#call({ door, method: String(method), args });
    // Every property of a remote door is a call. The types of the doors define which exist.
    return new Proxy({}, { get: call }) as Remote<object> as RemoteDoors[Name];
  }

  #call(call: Call): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#unsent.push(call);
      if (this.#unsent.length === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#unsent.length > 0) this.#post(this.#unsent);
    this.#unsent = [];
  }

  #post(request: StoreRequest): void {
    this.#thread.postMessage(request, movedMemory(request));
  }

  #settleEarly(values: [number, unknown][], queues: QueueCounts[]): void {
    for (const [number, value] of values) this.#waiting[number - this.#first]!.resolve(value);
    if (queues.length > 0) this.#listener(queues);
  }

  #settle(results: CallResult[], queues: QueueCounts[]): void {
    const settled = this.#waiting.splice(0, results.length);
    this.#first += settled.length;
    for (const [index, { resolve, reject }] of settled.entries()) {
      const result = results[index]!;
      if ('value' in result) resolve(result.value);
      else reject(runningError(result.fault));
    }
    if (queues.length > 0) this.#listener(queues);
  }

  #end(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
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
    `The platform's store ${file} cannot be opened: ${fault.message}.`,
    {
      hint: 'Move the file elsewhere to start with an empty platform.',
    },
  );
}

function runningError(fault: StoreFault): Error {
  if (fault.kind === 'full') return storageFull();
  return new Error(`The store failed: ${fault.message}`);
}

function storageFull(): ToolkitError {
  return new ToolkitError('STORAGE_FULL', 'The platform could not write to its disk: nothing was stored.', {
    hint: 'Free some space on the disk of TOOLKIT_HOME, then try again.',
  });
}
