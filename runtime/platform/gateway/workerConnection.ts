/** One connection to a worker, kept between requests: a request goes out, its answer comes back, then the next one. */
import type { WorkerSocket } from '../drivers/workerDriver.ts';
import { AnswerReader, type AnswerReceiver } from './answerReader.ts';

/** What a connection reports about one request and its answer. */
export interface Exchange extends AnswerReceiver {
  /** The worker is reached: the request may be written. */
  open(): void;
  /** More of the request may be written. */
  drain(): void;
  /** The connection ended, or what came on it is not HTTP; neither `end` nor anything else follows. */
  fail(error: Error): void;
}

/** The worker closed its connection. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

export class WorkerConnection {
  readonly #socket: WorkerSocket;
  readonly #isFree: (connection: WorkerConnection) => void;
  #exchange: Exchange | null = null;
  #reader: AnswerReader | null = null;
  #hasSent = false;
  /** Whether a request was answered on it before. */
  isReused = false;
  /** When its last answer was complete. */
  freeSince = 0;

  /**
   * @param connect Connects to the worker, and gives each piece of what comes.
   * @param isFree Called when it may carry another request.
   * @param isClosed Called when it never will again.
   */
  constructor(
    connect: (onData: (bytes: Buffer) => void) => WorkerSocket,
    isFree: (connection: WorkerConnection) => void,
    isClosed: (connection: WorkerConnection) => void,
  ) {
    this.#isFree = isFree;
    this.#socket = connect((bytes) => this.#read(bytes));
    this.#socket.on('connect', () => this.#exchange?.open());
    this.#socket.on('drain', () => this.#exchange?.drain());
    this.#socket.on('end', () => {
      if (!this.#reader?.close()) this.cut();
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => {
      this.#fail(new ConnectionClosed('The worker closed the connection.'));
      isClosed(this);
    });
  }

  /** Whether it may still carry a request. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Whether a part of the answer has come. */
  get hasAnswer(): boolean {
    return this.#reader?.hasBegun ?? false;
  }

  /** Carries a request by this method; `exchange.open` is called when it may be written, at once on a kept connection. */
  begin(method: string, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#reader = new AnswerReader(method, exchange);
    this.#hasSent = false;
    if (!this.#socket.connecting) exchange.open();
  }

  /** Writes parts of the request at once. Returns false when `drain` should come before more. */
  write(...parts: (Buffer | string)[]): boolean {
    this.#hasSent = true;
    if (parts.length === 1) return this.#socket.write(parts[0]!, 'latin1');
    this.#socket.cork();
    let mayGoOn = true;
    for (const part of parts) mayGoOn = this.#socket.write(part, 'latin1');
    this.#socket.uncork();
    return mayGoOn;
  }

  /** Pauses the reading of the answer. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /**
   * Ends the exchange after its answer.
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

  /** Closes it; the exchange hears of nothing more. */
  destroy(): void {
    this.#exchange = null;
    this.#reader = null;
    this.#socket.destroy();
  }

  /** Closes it under an exchange, which fails. */
  cut(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    // Bytes that no request has asked for: they would be taken for the answer to the next one.
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
