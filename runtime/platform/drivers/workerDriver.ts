/** The interface of a worker driver. It runs workers with given resources, on one node or on several. */
import type { Duplex } from 'node:stream';
import type { NodeCapacity, WorkerExit, WorkerOrder } from '../../contract/agentProtocol.ts';
import type { WorkerReport } from '../../contract/workerProtocol.ts';
import type { WorkerLog } from './workerLogs.ts';

/** The state that a worker reports. */
export interface WorkerState extends Omit<WorkerReport, 'address'> {
  /** Whether it accepts connections. */
  listens: boolean;
}

/** A connection to a worker. Emits `connect` when it opens, unless it was open from the start. */
export type WorkerSocket = Duplex & { readonly connecting: boolean };

/** Events that a driver reports about its workers. */
export interface WorkerEvents {
  /** A worker is still alive after a time without contact, such as a restart of the platform. */
  resumed(worker: string, report: WorkerState): void;
  reported(worker: string, report: WorkerState): void;
  /** Reported at intervals: the jobs of each worker; null for a worker that takes jobs by itself. */
  holding(workers: Record<string, string[] | null>): void;
  /** Reported once, when nothing of the worker is running any more. */
  ended(worker: string, exit: WorkerExit): void;
}

/** A node that accepts workers, and the settings that they get there. */
export interface WorkerNode {
  id: string;
  capacity: NodeCapacity;
  /** Whether its agent is connected now. If it is not, a start there has to wait for it. */
  isConnected: boolean;
  /** The platform's address for workers on this node. */
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
   * Takes over the workers of a former process of this platform. Each of them is reported as resumed or
   * ended; those on the platform's own machine before this resolves. Any other running worker is ended.
   */
  open(former: PlacedWorker[], events: WorkerEvents): Promise<void>;
  /**
   * The nodes that accept workers now, the platform's own machine first.
   *
   * @throws Error if there is none.
   */
  capacity(): Promise<WorkerNode[]>;
  /** The nodes on other machines, including disconnected ones that may come back. */
  remoteNodes(): WorkerNode[];
  /** Starts a worker that outlives this process. Its end is reported unless this rejects. */
  start(order: WorkerOrder, node: string): Promise<void>;
  /**
   * Asks a worker to drain and end. After the grace period (milliseconds) it is killed with all its
   * processes.
   */
  stop(worker: string, graceMs: number): Promise<void>;
  /**
   * Asks a worker to stop some of its jobs. Does nothing while the worker cannot be reached; it is reported
   * as resumed later.
   */
  stopJobs(worker: string, jobs: string[]): void;
  /**
   * Connects to a worker that listens, on any node. The connection fails with ECONNREFUSED, ENOENT or EAGAIN
   * if the worker does not accept it, with EHOSTUNREACH if its node is away or full. In these cases nothing
   * was sent.
   *
   * @param onData Called with each chunk, which is valid until the call returns. Without it the connection is
   * read as a stream.
   */
  connect(worker: string, onData?: (bytes: Buffer) => void): WorkerSocket;
  /**
   * The platform is stopping. Workers that cannot be reached count as ended, because their agents end them.
   */
  abandonUnreached(): void;
  /** Ends the driver. Call it only when no worker is running. */
  close(): Promise<void>;
  /** The logs of an endpoint's workers on all reachable nodes. */
  logs(endpoint: string): Promise<WorkerLog[]>;
  /** Adds a line to the log of a worker, which may have ended. Does nothing if its node cannot be reached. */
  note(worker: PlacedWorker, endpoint: string, line: string): void;
  /** Removes everything that the workers of an endpoint left behind. */
  forget(endpoint: string): Promise<void>;
}
