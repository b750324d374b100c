/**
 * The connection between the platform and a node agent, which runs the workers of one machine. The agent dials; on the
 * platform's own machine both then prove that they know the secret (`platform/drivers/agentHandshake`). Both sides send frames: four bytes with the length of what follows, big-endian, then one message as JSON. Python holds the same
 * names in toolkit_sdk/_agent/protocol.py; test/fixtures/protocol proves both.
 */
import type { Assignment, WorkerReport } from './workerProtocol.ts';

/** Both sides must speak the same; an agent of another number is ended with its workers. */
export const AGENT_PROTOCOL = 3;
/** Bytes of one frame. */
export const LARGEST_FRAME = 64_000_000;

/** The node of the platform's own machine. No other may call itself so. */
export const LOCAL_NODE = 'local';
/** What an agent of another machine asks the platform's port for, by the method CONNECT: frames both ways. */
export const AGENT_TUNNEL = 'toolkit-agent:1';
/** Makes the tunnel a stream: the bytes of a worker's connection, which the platform awaits under this number. */
export const STREAM_HEADER = 'x-toolkit-stream';

/** Below the platform's folder of TOOLKIT_HOME. */
export const AGENT_FILES = {
  /** Where the platform listens for its own agent. */
  socket: 'agent.sock',
  /** The secret that the platform and its agents share. */
  token: 'agent.token',
  /** Held by the agent, so that there is one. */
  lock: 'agent.lock',
  /** What the agent itself prints, such as the stack trace of a fault in it. */
  log: 'agent.log',
} as const;

/** What the agent is told at its start, as its one argument, JSON. */
export interface AgentStart {
  /** The name of its node. */
  node: string;
  /** What to dial: `unix:/absolute/path` on the platform's own machine, elsewhere `http://HOST:PORT`. */
  platform: string;
  /** The file with the secret. It is shown to the port; at the socket both sides prove that they know it. */
  token: string;
  lock: string;
  /** Logs go to `<endpoint>/<worker>.log` below it. */
  logs: string;
  /** The workers' private folders are made in it. */
  work: string;
  /** The node's cache: parts by hash, and base layers, with compiled code. */
  cache: string;
  /** TOOLKIT_HOME, which user code does not see. */
  home: string;
}

/** All that the agent needs to run one worker. Holds secrets: it is never written down. */
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
  /** What its processes find in their environment beside that of the agent. */
  environment: Record<string, string>;
  assignment: Assignment;
}

/** A worker as its agent knows it. */
export interface RunningWorker extends WorkerReport {
  worker: string;
  endpoint: string;
  /** As in its order. */
  platform: string;
}

/** What a node has. */
export interface NodeCapacity {
  cores: number;
  /** Bytes. */
  memory: number;
  /** The names of its cards, as their driver tells them. */
  gpus: string[];
  /** Minor version such as `3.11` → absolute path of its interpreter. */
  pythons: Record<string, string>;
}

/** An agent's first message on each connection. */
export interface AgentHello {
  protocol: number;
  version: string;
  /** Of this run of the agent, random: the first process of a container has the pid of any other container's. */
  instance: string;
  pid: number;
  /** As in its start, like `platform`. */
  node: string;
  platform: string;
  capacity: NodeCapacity;
  /** A worker that is not named has ended. */
  workers: RunningWorker[];
}

/** How a worker ended; both are null where it ended with its agent. */
export interface WorkerExit {
  code: number | null;
  signal: string | null;
}

/** What is asked about the logs of an endpoint's workers, whose platform is on another machine. */
export type LogQuestion =
  | { type: 'list-logs'; endpoint: string }
  /** Starts at this byte. Each answer holds a part; an empty one means the end. */
  | { type: 'read-log'; endpoint: string; worker: string; from: number };

export type LogAnswer =
  /** With the time of the last writing, milliseconds since 1970. */
  | { type: 'logs'; question: number; logs: { worker: string; written: number }[] }
  /** `start`: bytes of the log before these, which are base64. `since`: ISO 8601, the time of lines that tell none. */
  | { type: 'log'; question: number; start: number; since: string; bytes: string };

/** What an agent says. */
export type AgentReport =
  | ({ type: 'hello' } & AgentHello)
  | ({ type: 'state'; worker: string } & WorkerReport)
  /** Every `leaseInterval`: each worker, and the jobs that it holds; null when it takes jobs by itself. */
  | { type: 'leases'; workers: Record<string, string[] | null> }
  | ({ type: 'ended'; worker: string } & WorkerExit)
  | LogAnswer
  /** The answer to open-stream when the worker takes no connection; `atNode`: the node has no room, or fails to dial the platform. */
  | { type: 'stream-failed'; stream: string; reason: string; atNode?: boolean | undefined };

/** What the platform orders. */
export type AgentOrder =
  /** The answer to hello. In seconds: how often to report leases, and after how much silence to end with all workers. */
  | { type: 'welcome'; leaseInterval: number; patience: number }
  | { type: 'start'; order: WorkerOrder }
  /** Drain and end; after the grace, milliseconds, it is killed with all that it started. */
  | { type: 'stop'; worker: string; grace: number }
  | { type: 'stop-jobs'; worker: string; jobs: string[] }
  | (LogQuestion & { question: number })
  /** Connect to a worker, and dial for its bytes with this number, which counts once. */
  | { type: 'open-stream'; worker: string; stream: string }
  /** A line for the log of a worker. */
  | { type: 'note'; endpoint: string; worker: string; line: string }
  /** Of these workers; null: of all. */
  | { type: 'remove-logs'; endpoint: string; workers: string[] | null }
  /** Of all other endpoints that have no worker there, the logs are removed. */
  | { type: 'keep-logs'; endpoints: string[] }
  /** The answer to leases: the platform lives. */
  | { type: 'alive' }
  /** Ends the agent and all workers. The reason goes to the agent's log; null when the platform stops. */
  | { type: 'end'; reason: string | null };
