/** One connection to a worker. It is kept between requests and carries one request at a time. */
import type { WorkerSocket } from '../drivers/workerDriver.ts';
import { AnswerReader, type AnswerReceiver } from './answerReader.ts';

/** What a connection reports about one request and its response. */
export interface Exchange extends AnswerReceiver {
  /** The worker is connected. The request can be written. */
  open(): void;
  /** More of the request can be written. */
  drain(): void;
  /** The connection has ended, or received invalid HTTP. Neither `end` nor anything else follows. */
  fail(error: Error): void;
}

/** The worker closed its connection. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

export class WorkerConnection {
  readonly #socket: WorkerSocket;
  readonly #isFree: (connection: WorkerConnection) => void;
  readonly #isClosed: (connection: WorkerConnection) => void;
  #exchange: Exchange | null = null;
  #reader: AnswerReader | null = null;
  #hasSent = false;
  /** Whether it has carried an earlier request. */
  isReused = false;
  /** When its last response was completed. */
  freeSince = 0;

  /**
   * @param connect Connects to the worker. Calls `onData` with each chunk that arrives.
   * @param isFree Called when the connection can carry another request.
   * @param isClosed Called when it no longer can.
   */
  constructor(
    connect: (onData: (bytes: Buffer) => void) => WorkerSocket,
    isFree: (connection: WorkerConnection) => void,
    isClosed: (connection: WorkerConnection) => void,
  ) {
    this.#isFree = isFree;
    this.#isClosed = isClosed;
    this.#socket = connect((bytes) => this.#read(bytes));
    this.#socket.on('connect', () => this.#exchange?.open());
    this.#socket.on('drain', () => this.#exchange?.drain());
    this.#socket.on('end', this.#end);
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => {
      this.#fail(new ConnectionClosed('The worker closed the connection.'));
      isClosed(this);
    });
  }

  /** Whether it can still carry a request. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Whether any part of the response has arrived. */
  get hasAnswer(): boolean {
    return this.#reader?.hasBegun ?? false;
  }

  /**
   * Starts a request with this method. Calls `exchange.open` when it can be written: at once on a kept
   * connection.
   */
  begin(method: string, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#reader = new AnswerReader(method, exchange);
    this.#hasSent = false;
    if (!this.#socket.connecting) exchange.open();
  }

  /** Writes parts of the request together. Returns false if the caller should wait for `drain`. */
  write(...parts: (Buffer | string)[]): boolean {
    this.#hasSent = true;
    if (parts.length === 1) return this.#socket.write(parts[0]!, 'latin1');
    this.#socket.cork();
    let canWriteMore = true;
    for (const part of parts) canWriteMore = this.#socket.write(part, 'latin1');
    this.#socket.uncork();
    return canWriteMore;
  }

  /** Pauses reading the response. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /**
   * Ends the exchange after its response.
   *
   * @param isSent Whether the whole request was written.
   */
  finish(isSent: boolean): void {
    if (!isSent || !this.#reader?.keepsOpen) return this.destroy();
    this.#exchange = null;
    this.#reader = null;
    this.isReused = true;
    this.freeSince = performance.now();
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#isFree(this);
  }

  /**
   * Gives up the socket after the worker has switched to another protocol. Only for a connection that is read as a
   * stream.
   */
  release(): WorkerSocket {
    this.#exchange = null;
    this.#reader = null;
    this.#isClosed(this);
    return this.#socket.removeAllListeners('data').off('end', this.#end);
  }

  /** Closes the connection. The exchange gets no further calls. */
  destroy(): void {
    this.#exchange = null;
    this.#reader = null;
    this.#socket.destroy();
  }

  /** Closes the connection. The current exchange fails. */
  cut(): void {
    this.#socket.destroy();
  }

  readonly #end = () => {
    if (!this.#reader?.close()) this.cut();
  };

  #read(chunk: Buffer): void {
    // Unrequested bytes. They would be read as the response to the next request.
    if (!this.#reader || !this.#hasSent) return this.cut();
    try {
      this.#reader.read(chunk);
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
  }

  #fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.fail(error);
    this.#reader = null;
  }
}
