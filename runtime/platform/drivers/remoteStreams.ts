/**
 * Connections to workers on another machine. The platform sends the agent a number for each, and the agent
 * dials back with it.
 */
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { AgentOrder } from '../../contract/agentProtocol.ts';
import { refusal, reset, WorkerStream } from './workerStream.ts';

/** A live agent dials within this time. */
const OPEN_MS = 5_000;

/** The node is away or full, regardless of the worker. Nothing of a request was sent. */
function unreachable(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'EHOSTUNREACH', syscall: 'connect' });
}

export class RemoteStreams {
  readonly #send: (order: AgentOrder) => boolean;
  readonly #awaited = new Map<string, PromiseWithResolvers<Duplex>>();
  readonly #all = new Set<WorkerStream>();

  /** @param send Sends the agent an order; false while it is not connected. */
  constructor(send: (order: AgentOrder) => boolean) {
    this.#send = send;
  }

  open(worker: string): WorkerStream {
    const number = randomBytes(16).toString('hex');
    const opening = Promise.withResolvers<Duplex>();
    this.#awaited.set(number, opening);
    const timer = setTimeout(
      () => this.#fail(number, unreachable('The node did not dial in time.')),
      OPEN_MS,
    );
    const stream = new WorkerStream(opening.promise.finally(() => clearTimeout(timer)));
    this.#all.add(stream.once('close', () => this.#all.delete(stream)));
    if (!this.#send({ type: 'open-stream', worker, stream: number }))
      this.#fail(number, unreachable('The node is not connected.'));
    return stream;
  }

  /** Accepts a connection that the agent has dialled; false if no stream with this number is awaited. */
  carry(number: string, socket: Duplex): boolean {
    const opening = this.#awaited.get(number);
    this.#awaited.delete(number);
    opening?.resolve(socket);
    return opening !== undefined;
  }

  /**
   * The agent cannot open a stream.
   *
   * @param atNode Whether the node is full or cannot reach the platform; else the worker refused the
   * connection.
   */
  failed(number: string, reason: string, atNode = false): void {
    this.#fail(number, atNode ? unreachable(reason) : refusal(reason));
  }

  /** The agent cannot be reached. Open streams continue, because they have connections of their own. */
  lost(): void {
    const error = unreachable('The connection to the node ended.');
    for (const number of this.#awaited.keys()) this.#fail(number, error);
  }

  /** The node is gone. */
  close(): void {
    this.lost();
    for (const stream of this.#all) stream.destroy(reset());
  }

  #fail(number: string, error: Error): void {
    this.#awaited.get(number)?.reject(error);
    this.#awaited.delete(number);
  }
}
