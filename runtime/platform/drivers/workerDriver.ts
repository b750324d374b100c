/** What an engine does for the platform: it keeps processes with given resources alive. */

/** What a driver needs to start one worker. */
export interface WorkerStart {
  workerId: string;
  endpointId: string;
  /** The interpreter, absolute. */
  python: string;
  /** Variables of the worker beside the engine's own few. */
  environment: Record<string, string>;
}

/** How a started worker is found again, by this process or the next: plain data for the store. */
export interface WorkerHandle {
  pid: number;
  /** Start time in the system's clock ticks since boot: tells a process from a later one of the same pid. */
  startTime: number;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
}

export interface WorkerDriver {
  /** Starts a worker that outlives this process; `exited` is called once when it ends. */
  start(start: WorkerStart, exited: (exit: WorkerExit) => void): Promise<WorkerHandle>;
  /**
   * Takes up a worker of a former process of this platform; false when it is gone. Without a handle, because that
   * process died while it started the worker, whatever runs of it is ended.
   */
  adopt(workerId: string, handle: WorkerHandle | null, exited: (exit: WorkerExit) => void): Promise<boolean>;
  /** Asks a worker to drain and end; after the grace (milliseconds) it is killed with all its processes. */
  stop(workerId: string, graceMs: number): Promise<void>;
  /** Ids of the workers that run. */
  list(): string[];
  /** The file that a worker's output goes to. */
  logFile(endpointId: string, workerId: string): string;
  /** Removes what workers of an endpoint left. */
  forget(endpointId: string): Promise<void>;
}
