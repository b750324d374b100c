/** What an engine does for the platform: it keeps workers with given resources alive, on one node or on several. */
import type { Duplex } from 'node:stream';
import type { NodeCapacity, WorkerExit, WorkerOrder } from '../../contract/agentProtocol.ts';
import type { WorkerReport } from '../../contract/workerProtocol.ts';
import type { WorkerLog } from './workerLogs.ts';

/** What a worker says of itself. */
export interface WorkerState extends Omit<WorkerReport, 'address'> {
  /** Whether it takes connections. */
  listens: boolean;
}

/** A connection to a worker. Tells `connect` when it is open, if it was not so from the start. */
export type WorkerSocket = Duplex & { readonly connecting: boolean };

/** What a driver reports about its workers. */
export interface WorkerEvents {
  /** A worker lives on after a time in which nothing was heard of it: a restart of the platform, say. */
  resumed(worker: string, report: WorkerState): void;
  reported(worker: string, report: WorkerState): void;
  /** Told at intervals: each worker's jobs; null of one that takes jobs by itself. */
  holding(workers: Record<string, string[] | null>): void;
  /** Told once; nothing of it runs any more. */
  ended(worker: string, exit: WorkerExit): void;
}

/** A node that takes workers, and what they are told there. */
export interface WorkerNode {
  id: string;
  capacity: NodeCapacity;
  /** Whether its agent is there now; a start elsewhere waits for it. */
  isConnected: boolean;
  /** The platform's address, as workers there reach it. */
  platform: string;
  /** The uv executable that installs base layers; null: pip of the interpreter. */
  uv: string | null;
}

/** A worker, and the node that it was started on. */
export interface PlacedWorker {
  worker: string;
  node: string;
}

export interface WorkerDriver {
  /**
   * Takes up the workers of a former process of this platform: of each is told that it was resumed or has ended, of those
   * on the platform's own machine before this resolves. Others that run are ended.
   */
  open(former: PlacedWorker[], events: WorkerEvents): Promise<void>;
  /**
   * The nodes that take workers now, the platform's own machine first.
   *
   * @throws Error when there is none.
   */
  capacity(): Promise<WorkerNode[]>;
  /** Those of other machines, with those that are away and may be heard of again. */
  remoteNodes(): WorkerNode[];
  /** Starts a worker that outlives this process. Its end is told, unless this rejects. */
  start(order: WorkerOrder, node: string): Promise<void>;
  /** Asks a worker to drain and end; after the grace (milliseconds) it is killed with all its processes. */
  stop(worker: string, graceMs: number): Promise<void>;
  /** Tells a worker which of its jobs to stop. While it cannot be reached nothing is: it is told as resumed later. */
  stopJobs(worker: string, jobs: string[]): void;
  /**
   * Connects to a worker that listens, wherever it runs. A worker that takes no connection is told as ECONNREFUSED, ENOENT or
   * EAGAIN, one whose node is away or full as EHOSTUNREACH: nothing was sent.
   *
   * @param onData Is given what comes, each piece until it returns; without it the connection is read as a stream.
   */
  connect(worker: string, onData?: (bytes: Buffer) => void): WorkerSocket;
  /** The platform stops: workers that cannot be reached count as ended, since their agents end them by themselves. */
  abandonUnreached(): void;
  /** Ends the engine, when no worker runs. */
  close(): Promise<void>;
  /** The logs of an endpoint's workers, on all nodes that can be reached. */
  logs(endpoint: string): Promise<WorkerLog[]>;
  /** Adds a line to the log of a worker, which may have ended; nothing when its node cannot be reached. */
  note(worker: PlacedWorker, endpoint: string, line: string): void;
  /** Removes what workers of an endpoint left. */
  forget(endpoint: string): Promise<void>;
}
