/** Logs of workers, as a driver provides them for every node. */

/** A part of a log. */
export interface LogBytes {
  /** Offset of these bytes in the log. */
  start: number;
  bytes: Buffer;
  /** ISO 8601: when its first piece was created. It is the time of lines without one. */
  since: string;
}

/** The log of one worker. Offsets count from its first byte, even after old pieces were removed. */
export interface WorkerLog {
  worker: string;
  /** When it was last written, milliseconds since 1970. */
  written: number;
  /** Reads from an offset, or from the oldest piece if that starts later. */
  read(from: number): Promise<LogBytes>;
  remove(): Promise<void>;
}

/** The logs of one node's workers. */
export interface NodeLogs {
  of(endpoint: string): Promise<WorkerLog[]>;
  /** Adds a line by the platform to the log of a worker, which may have ended. */
  note(endpoint: string, worker: string, line: string): void;
  /** Removes all logs of an endpoint. */
  forget(endpoint: string): Promise<void>;
}
