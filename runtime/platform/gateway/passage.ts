/** Sends one request to a worker over one connection, and the response back to the client. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import { BLOCKED_HEADER } from '../../contract/workerProtocol.ts';
import { tooLarge } from '../http/readBody.ts';
import type { Worker } from '../workers/worker.ts';
import { type AnswerHead, MalformedAnswer } from './answerHead.ts';
import type { Slot } from './balance.ts';
import {
  answerMalformed,
  answerTooLarge,
  FunctionTimeout,
  isNotReached,
  tooLate,
  WorkerLost,
  WorkerNotReached,
} from './forwardErrors.ts';
import { answerHeaders, protocolIn, requestHeaders, switching } from './forwardedHeaders.ts';
import { timeLimit } from './timeLimit.ts';
import type { Upgrade } from './upgrade.ts';
import { ConnectionClosed, type Exchange, type WorkerConnection } from './workerConnection.ts';

/** Methods that are safe to send again (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request on its way to a worker. */
export interface Forwarding {
  incoming: IncomingMessage;
  response: ServerResponse;
  slot: Slot;
  requestId: string;
  /** Null if the request offers no other protocol. */
  upgrade: Upgrade | null;
  /** The worker reports that a function still runs after its timeout. */
  blocked(): void;
  /** The connection was closed before the end of the response, so the function may still run. */
  abandoned(): void;
}

/** Handles a request until its response was sent, or until it is known that this connection provides none. */
export class Passage implements Exchange {
  readonly accept?: NonNullable<Exchange['accept']>;
  readonly #forwarding: Forwarding;
  readonly #connection: WorkerConnection;
  readonly #resolve: (isDone: boolean) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #isChunked: boolean;
  readonly #hasBody: boolean;
  /** The request's head; empty once it was sent with the first bytes of the body. */
  #head = '';
  #isSent = false;
  #isOver = false;
  #isPaused = false;
  #bytesSent = 0;
  #bytesAnswered = 0;

  /**
   * @param resolve Called with true when the response was sent; with false when the connection turned out to be
   * closed and the request can be sent again.
   * @param reject Called when there was no response.
   */
  constructor(
    forwarding: Forwarding,
    connection: WorkerConnection,
    resolve: (isDone: boolean) => void,
    reject: (error: Error) => void,
  ) {
    this.#forwarding = forwarding;
    this.#connection = connection;
    this.#resolve = resolve;
    this.#reject = reject;
    const { incoming, response, slot, upgrade } = forwarding;
    if (upgrade) this.accept = (head, first) => this.#accept(upgrade, head, first);
    this.#isChunked = incoming.headers['transfer-encoding'] !== undefined;
    this.#hasBody = this.#isChunked || Number(incoming.headers['content-length'] ?? 0) > 0;
    this.#timer = this.#limitTime(slot.worker);
    response.on('close', this.#closed);
  }

  /**
   * The body is not read before the worker is reached, so that the request can still go to another worker.
   */
  open(): void {
    const { incoming, slot, requestId, upgrade } = this.#forwarding;
    const headers = requestHeaders(incoming, slot, requestId);
    if (upgrade) headers.push(...switching(upgrade.offer));
    const head = `${incoming.method} ${incoming.url} HTTP/1.1\r\n${linesOf(headers)}`;
    if (this.#hasBody) {
      this.#head = head;
      incoming.on('data', this.#send).on('end', this.#endRequest);
    } else {
      this.#isSent = true;
      this.#connection.write(head);
    }
  }

  drain(): void {
    this.#forwarding.incoming.resume();
  }

  head(head: AnswerHead): void {
    const { response, slot, requestId, blocked } = this.#forwarding;
    clearTimeout(this.#timer);
    if (head.headers.some((name, at) => at % 2 === 0 && name === BLOCKED_HEADER)) blocked();
    if ((head.length ?? 0) > GATEWAY_LIMITS.bodyBytes) return this.#abort(answerTooLarge());
    response.writeHead(head.status, head.reason, answerHeaders(head, slot.worker, requestId));
    // Sends the head of a stream at once, even if its first piece takes long.
    if (head.length === null) process.nextTick(this.#flush);
  }

  piece(bytes: Buffer, isLast: boolean): void {
    const { response } = this.#forwarding;
    if (this.#isOver) return;
    this.#bytesAnswered += bytes.length;
    if (this.#bytesAnswered > GATEWAY_LIMITS.bodyBytes) response.destroy();
    // Node sends a string in one write with the headers, but a Buffer in a second one.
    else if (isLast) response.end(bytes.toString('latin1'), 'latin1');
    else if (!response.write(Buffer.from(bytes)) && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection.pause();
      response.once('drain', this.#resume);
    }
  }

  end(): void {
    const { incoming, response } = this.#forwarding;
    if (this.#isOver) return;
    this.#leave();
    this.#connection.finish(this.#isSent);
    if (!this.#isSent) incoming.resume();
    if (!response.writableEnded) response.end();
  }

  fail(error: Error): void {
    const { response, slot, abandoned } = this.#forwarding;
    this.#leave();
    if (response.headersSent || response.destroyed) {
      abandoned();
      response.destroy();
      return this.#resolve(true);
    }
    response.off('close', this.#closed);
    if (isClosed(error) && this.#mayBeSentAgain()) return this.#resolve(false);
    if (isNotReached(error)) return this.#reject(new WorkerNotReached(error));
    abandoned();
    if (error instanceof MalformedAnswer) this.#reject(answerMalformed(error, slot.worker.target.spec));
    else this.#reject(new WorkerLost(error, slot.worker.target.name));
  }

  #limitTime({ target: { name, spec } }: Worker): NodeJS.Timeout {
    const { executionTimeout } = spec;
    const late = () => (executionTimeout === null ? tooLate(name) : new FunctionTimeout(executionTimeout));
    return setTimeout(() => this.#abort(late()), timeLimit(spec));
  }

  readonly #send = (bytes: Buffer) => {
    this.#bytesSent += bytes.length;
    if (this.#bytesSent > GATEWAY_LIMITS.bodyBytes) return this.#abort(tooLarge(GATEWAY_LIMITS.bodyBytes));
    const head = this.#head;
    this.#head = '';
    const canWriteMore = this.#isChunked
      ? this.#connection.write(`${head}${bytes.length.toString(16)}\r\n`, bytes, '\r\n')
      : this.#connection.write(head, bytes);
    if (!canWriteMore) this.#forwarding.incoming.pause();
  };

  readonly #endRequest = () => {
    this.#isSent = true;
    if (this.#isChunked) this.#connection.write(`${this.#head}0\r\n\r\n`);
  };

  readonly #flush = () => {
    if (!this.#isOver && this.#bytesAnswered === 0) this.#forwarding.response.flushHeaders();
  };

  readonly #resume = () => {
    this.#isPaused = false;
    if (!this.#isOver) this.#connection.resume();
  };

  readonly #closed = () => {
    if (!this.#isOver) {
      this.#leave();
      this.#connection.destroy();
      this.#forwarding.abandoned();
    }
    this.#resolve(true);
  };

  /** Lets the connections of client and worker speak the protocol that the worker has accepted. */
  #accept(upgrade: Upgrade, head: AnswerHead, first: Buffer): void {
    const { slot, requestId } = this.#forwarding;
    this.#leave();
    const protocol = protocolIn(head) ?? upgrade.offer;
    const headers = [...answerHeaders(head, slot.worker, requestId), ...switching(protocol)];
    const text = `HTTP/1.1 101 ${head.reason}\r\n${linesOf(headers)}`;
    upgrade.accept(text, protocol, this.#connection.release(), first);
  }

  /** Ends the exchange before a response. */
  #abort(error: Error): void {
    this.#connection.destroy();
    this.#leave();
    this.#forwarding.response.off('close', this.#closed);
    this.#forwarding.abandoned();
    this.#reject(error);
  }

  #leave(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#hasBody) this.#forwarding.incoming.off('data', this.#send).off('end', this.#endRequest);
  }

  /**
   * Whether it is safe if the request reaches a worker twice. A request with a body is never sent again,
   * because part of the body may have been read.
   */
  #mayBeSentAgain(): boolean {
    const { isReused, hasAnswer } = this.#connection;
    return isReused && !hasAnswer && !this.#hasBody && REPEATABLE.has(this.#forwarding.incoming.method ?? '');
  }
}

function linesOf(headers: string[]): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${lines}\r\n`;
}

function isClosed(error: Error): boolean {
  if (error instanceof ConnectionClosed) return true;
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
