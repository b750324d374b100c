/**
 * One connection of a node agent. It validates the reports that arrive and sends orders. Invalid input closes
 * it.
 */
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import {
  AGENT_PROTOCOL,
  type AgentOrder,
  type AgentReport,
  LARGEST_FRAME,
} from '../../contract/agentProtocol.ts';
import { AgentHandshake } from './agentHandshake.ts';
import { encodeFrame, FrameReader } from './frames.ts';

const workerState = {
  state: z.enum(['starting', 'importing', 'ready', 'unhealthy']),
  reason: z.nullable(z.string()),
  lines: z.array(z.string()),
  address: z.nullable(z.string()),
};
const worker = z.string();
const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const pid = z.int().check(z.positive());

const reportSchema: z.ZodMiniType<AgentReport> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.literal(AGENT_PROTOCOL),
    version: z.string(),
    instance: z.string(),
    pid,
    node: z.string().check(z.regex(NODE_NAME)),
    platform: z.string(),
    capacity: z.object({
      cores: z.int().check(z.positive()),
      memory: z.int().check(z.positive()),
      gpus: z.array(z.string()),
      pythons: z.record(z.string(), z.string()),
    }),
    workers: z.array(z.object({ worker, endpoint: z.string(), platform: z.string(), ...workerState })),
  }),
  z.object({ type: z.literal('state'), worker, ...workerState }),
  z.object({ type: z.literal('leases'), workers: z.record(worker, z.nullable(z.array(z.string()))) }),
  z.object({
    type: z.literal('ended'),
    worker,
    code: z.nullable(z.int()),
    signal: z.nullable(z.string()),
  }),
  z.object({
    type: z.literal('logs'),
    question: z.int(),
    logs: z.array(z.object({ worker, written: z.number() })),
  }),
  z.object({
    type: z.literal('log'),
    question: z.int(),
    start: z.int(),
    since: z.string(),
    bytes: z.string(),
  }),
  z.object({
    type: z.literal('stream-failed'),
    stream: z.string(),
    reason: z.string(),
    atNode: z.optional(z.boolean()),
  }),
]);

/** The fields that the hello of every protocol version has. */
const foreignHello = z.object({
  type: z.literal('hello'),
  protocol: z.int().check(z.refine((number) => number !== AGENT_PROTOCOL)),
  pid,
});

/** Largest frame before the proof, in bytes: any process may have connected. */
const UNPROVEN_BYTES = 1_000_000;
/** Time limit for the proof. */
const UNPROVEN_MS = 10_000;
/** The last protocol without a handshake. */
const UNPROVEN_PROTOCOL = 2;
const outdatedHello = z.object({
  type: z.literal('hello'),
  protocol: z.int().check(z.lte(UNPROVEN_PROTOCOL)),
  pid,
});

const UNKNOWN = {
  version: 'unknown',
  instance: 'unknown',
  node: 'unknown',
  platform: 'unknown',
  capacity: { cores: 0, memory: 0, gpus: [], pythons: {} },
  workers: [],
};

export interface AgentLinkEvents {
  /** A hello of another protocol version lists no workers. */
  reported(report: AgentReport): void;
  /** Called once, when either side has closed the connection. */
  closed(): void;
  /**
   * Instead of a proof, the peer sent the hello of an agent that has no secret. Any process can claim this.
   */
  outdated?(hello: { protocol: number; pid: number }): void;
}

export class AgentLink {
  readonly #socket: Duplex;
  readonly #events: AgentLinkEvents;
  /** Null once the agent has proved itself. */
  #handshake: AgentHandshake | null;
  #isOutdated = false;
  readonly #frames = new FrameReader();
  readonly closed: Promise<void>;

  /** @param secret The agent must prove that it knows this secret; null if it was already checked. */
  constructor(socket: Duplex, events: AgentLinkEvents, secret: string | null = null) {
    this.#socket = socket;
    this.#events = events;
    this.#handshake = secret === null ? null : new AgentHandshake(secret);
    if (this.#handshake) this.#limit();
    // The error itself does not matter: `close` follows.
    socket.on('error', () => socket.destroy());
    // Close when the agent closes its side: sockets of an HTTP server stay half open otherwise.
    socket.on('end', () => socket.destroy());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        events.closed();
        resolve();
      });
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const body of this.#frames.push(chunk)) {
          if (socket.destroyed) return;
          this.#hear(readJson(body));
        }
      } catch (error) {
        socket.destroy();
        if (!(error instanceof RangeError)) throw error;
      }
    });
  }

  /** @throws RangeError for a message that is not allowed now. */
  #hear(json: unknown): void {
    if (this.#handshake) return this.#admit(this.#handshake, json);
    const report = readReport(json);
    if (!report) throw new RangeError('This is not a report.');
    this.#events.reported(report);
  }

  #admit(handshake: AgentHandshake, json: unknown): void {
    if (this.#isOutdated) return;
    const outdated = outdatedHello.safeParse(json);
    if (outdated.success && this.#events.outdated) {
      this.#isOutdated = true;
      return this.#events.outdated(outdated.data);
    }
    const answer = handshake.take(json);
    if (answer) {
      this.#socket.write(encodeFrame(answer));
    } else {
      this.#handshake = null;
      this.#frames.largest = LARGEST_FRAME;
    }
  }

  /** Limits size and time until the proof. */
  #limit(): void {
    this.#frames.largest = UNPROVEN_BYTES;
    const timer = setTimeout(() => {
      if (this.#handshake) this.#socket.destroy();
    }, UNPROVEN_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  get open(): boolean {
    return this.#socket.writable;
  }

  /** @throws RangeError if the order exceeds the size of a frame. */
  send(order: AgentOrder): void {
    // The agent has stopped reading.
    if (this.#socket.writableLength > LARGEST_FRAME) this.#socket.destroy();
    else this.#socket.write(encodeFrame(order));
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Undefined if it is not JSON. */
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Null if it is not a report. */
function readReport(json: unknown): AgentReport | null {
  const report = reportSchema.safeParse(json);
  if (report.success) return report.data;
  const foreign = foreignHello.safeParse(json);
  return foreign.success ? { ...UNKNOWN, ...foreign.data } : null;
}
