/**
 * The connection between the platform and a node agent, which runs the workers of one machine. The agent
 * dials the platform. On the platform's own machine each side then proves that it knows the secret
 * (`platform/drivers/agentHandshake`). Both sides send frames: four bytes with the length of the message,
 * big-endian, then the message as JSON. toolkit_sdk/_agent/protocol.py defines the same names for Python;
 * test/fixtures/protocol proves that they agree.
 */
import type { Assignment, WorkerReport } from './workerProtocol.ts';

/**
 * Both sides must use the same number. The platform ends an agent with another number, and its workers with
 * it.
 */
export const AGENT_PROTOCOL = 3;
/** Largest frame, in bytes. */
export const LARGEST_FRAME = 64_000_000;

/** The node of the platform's own machine. No other node can have this name. */
export const LOCAL_NODE = 'local';
/**
 * An agent on another machine sends CONNECT with this target to the platform's port. The tunnel carries
 * frames both ways.
 */
export const AGENT_TUNNEL = 'toolkit-agent:1';
/**
 * Turns the tunnel into a stream. It carries the bytes of a worker's connection, which the platform awaits
 * under this number.
 */
export const STREAM_HEADER = 'x-toolkit-stream';

/** Files in the platform's folder of TOOLKIT_HOME. */
export const AGENT_FILES = {
  /** Where the platform listens for its own agent. */
  socket: 'agent.sock',
  /** The secret that the platform and its agents share. */
  token: 'agent.token',
  /** The agent locks this file, so that only one agent runs. */
  lock: 'agent.lock',
  /** Output of the agent itself, such as the stack trace of a crash. */
  log: 'agent.log',
} as const;

/** The agent's only argument, as JSON. */
export interface AgentStart {
  /** The name of its node. */
  node: string;
  /**
   * The address to dial: `unix:/absolute/path` on the platform's own machine, `http://HOST:PORT` elsewhere.
   */
  platform: string;
  /**
   * The file with the secret. The agent sends the secret to the port; on the socket both sides prove that
   * they know it.
   */
  token: string;
  lock: string;
  /** Logs are written to `<endpoint>/<worker>.log` in this folder. */
  logs: string;
  /** The workers' private folders are created here. */
  work: string;
  /** The node's cache: parts by hash, base layers and compiled code. */
  cache: string;
  /** TOOLKIT_HOME, which is hidden from user code. */
  home: string;
}

/** Everything the agent needs to run one worker. Contains secrets, so it is never written to disk. */
export interface WorkerOrder {
  worker: string;
  endpoint: string;
  /** The interpreter, absolute. */
  python: string;
  /** The platform's address for jobs, results and parts. */
  platform: string;
  token: string;
  /** The uv executable that installs base layers; pip of the interpreter when null. */
  uv: string | null;
  /** Environment variables for its processes, in addition to those of the agent. */
  environment: Record<string, string>;
  assignment: Assignment;
}

/** A worker as reported by its agent. */
export interface RunningWorker extends WorkerReport {
  worker: string;
  endpoint: string;
  /** As in its order. */
  platform: string;
}

/** What a node offers. */
export interface NodeCapacity {
  cores: number;
  /** Bytes. */
  memory: number;
  /** The names of its GPUs, as the driver reports them. */
  gpus: string[];
  /** Minor version such as `3.11` → absolute path of its interpreter. */
  pythons: Record<string, string>;
}

/** An agent's first message on each connection. */
export interface AgentHello {
  protocol: number;
  version: string;
  /**
   * Random for each run of the agent. A pid is not enough: the first process has the same pid in every
   * container.
   */
  instance: string;
  pid: number;
  /** As in its start; so is `platform`. */
  node: string;
  platform: string;
  capacity: NodeCapacity;
  /** A worker that is not in this list has ended. */
  workers: RunningWorker[];
}

/** How a worker ended. Both are null if it ended with its agent. */
export interface WorkerExit {
  code: number | null;
  signal: string | null;
}

/** What the platform asks about the logs of workers on another machine. */
export type LogQuestion =
  | { type: 'list-logs'; endpoint: string }
  /** Reads from this byte. Each response contains a part of the log; an empty part means the end. */
  | { type: 'read-log'; endpoint: string; worker: string; from: number };

export type LogAnswer =
  /** With the time of the last write, milliseconds since 1970. */
  | { type: 'logs'; question: number; logs: { worker: string; written: number }[] }
  /**
   * `bytes` are base64. `start`: offset of these bytes in the log. `since`: ISO 8601, the time of lines
   * without one.
   */
  | { type: 'log'; question: number; start: number; since: string; bytes: string };

/** What an agent sends. */
export type AgentReport =
  | ({ type: 'hello' } & AgentHello)
  | ({ type: 'state'; worker: string } & WorkerReport)
  /**
   * Sent every `leaseInterval`: each worker and the jobs that it holds; null when it takes jobs by itself.
   */
  | { type: 'leases'; workers: Record<string, string[] | null> }
  | ({ type: 'ended'; worker: string } & WorkerExit)
  | LogAnswer
  /**
   * The response to open-stream when the worker does not accept a connection. `atNode`: the node is full or
   * cannot dial the platform.
   */
  | { type: 'stream-failed'; stream: string; reason: string; atNode?: boolean | undefined };

/** What the platform sends. */
export type AgentOrder =
  /**
   * The response to hello. In seconds: how often to report leases, and after how much silence to end all
   * workers and itself.
   */
  | { type: 'welcome'; leaseInterval: number; patience: number }
  | { type: 'start'; order: WorkerOrder }
  /**
   * Drain the worker and end it. After the grace period (milliseconds) it is killed with everything it
   * started.
   */
  | { type: 'stop'; worker: string; grace: number }
  | { type: 'stop-jobs'; worker: string; jobs: string[] }
  | (LogQuestion & { question: number })
  /** Connect to a worker and dial the platform for its bytes. This number is valid once. */
  | { type: 'open-stream'; worker: string; stream: string }
  /** A line for the log of a worker. */
  | { type: 'note'; endpoint: string; worker: string; line: string }
  /** Remove the logs of these workers; null: of all. */
  | { type: 'remove-logs'; endpoint: string; workers: string[] | null }
  /** Remove the logs of all other endpoints that have no worker on the node. */
  | { type: 'keep-logs'; endpoints: string[] }
  /** The response to leases: the platform is alive. */
  | { type: 'alive' }
  /**
   * End the agent and all workers. The reason is written to the agent's log; null when the platform stops.
   */
  | { type: 'end'; reason: string | null };
