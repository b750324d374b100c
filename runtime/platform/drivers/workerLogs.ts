/** Logs of workers, as a driver gives them, on whichever node they are. */

/** What is read of a log. */
export interface LogBytes {
  /** Bytes of the log before these. */
  start: number;
  bytes: Buffer;
  /** ISO 8601: when its first piece was made, the time of lines that tell none. */
  since: string;
}

/** The log of one worker. A place in it is told by the bytes before it, whatever is kept. */
export interface WorkerLog {
  worker: string;
  /** When it was written to, milliseconds since 1970. */
  written: number;
  /** From a place on, or from the oldest piece where that is later. */
  read(from: number): Promise<LogBytes>;
  remove(): Promise<void>;
}

/** The logs of one node's workers. */
export interface NodeLogs {
  of(endpoint: string): Promise<WorkerLog[]>;
  /** Adds a line of the platform's to the log of a worker, which may have ended. */
  note(endpoint: string, worker: string, line: string): void;
  /** Removes all of an endpoint. */
  forget(endpoint: string): Promise<void>;
}
