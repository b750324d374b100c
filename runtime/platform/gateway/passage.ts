/** One request that is sent to a worker over one connection, and its answer on the way back to the client. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GATEWAY_LIMITS } from '../../contract/limits.ts';
import { BLOCKED_HEADER } from '../../contract/workerProtocol.ts';
import { tooLarge } from '../http/readBody.ts';
import type { Worker } from '../workers/worker.ts';
import { type AnswerHead, MalformedAnswer } from './answerHead.ts';
import {
  answerMalformed,
  answerTooLarge,
  FunctionTimeout,
  isNotReached,
  tooLate,
  WorkerLost,
  WorkerNotReached,
} from './forwardErrors.ts';
import { answerHeaders, requestHeaders } from './forwardedHeaders.ts';
import { ConnectionClosed, type Exchange, type WorkerConnection } from './workerConnection.ts';

/** Our own worker keeps an execution_timeout itself; the gateway steps in for one that does not. */
const TIMEOUT_GRACE_MS = 2_000;

/** Methods that a request may be sent again with: methods that are safe to resend (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request on its way to a worker. */
export interface Forwarding {
  incoming: IncomingMessage;
  response: ServerResponse;
  worker: Worker;
  requestId: string;
  /** The worker says that it goes on with a function that is over its time. */
  blocked(): void;
}

/** Stays with a request until its answer was sent, or until it is known that this connection brings none. */
export class Passage implements Exchange {
  readonly #forwarding: Forwarding;
  readonly #connection: WorkerConnection;
  readonly #resolve: (isDone: boolean) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #isChunked: boolean;
  readonly #hasBody: boolean;
  /** The request's head, until it is sent with the first bytes of the body. */
  #head = '';
  #isSent = false;
  #isOver = false;
  #isPaused = false;
  #bytesSent = 0;
  #bytesAnswered = 0;

  /**
   * @param resolve Called when the answer was sent, with true; with false when the connection turned out to be closed and
   *   the request may be sent again.
   * @param reject Called when nothing was answered.
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
    const { incoming, response, worker } = forwarding;
    this.#isChunked = incoming.headers['transfer-encoding'] !== undefined;
    this.#hasBody = this.#isChunked || Number(incoming.headers['content-length'] ?? 0) > 0;
    this.#timer = this.#limitTime(worker);
    response.on('close', this.#closed);
  }

  /** The body is not touched before the worker is reached: it can still go to another one. */
  open(): void {
    const { incoming, worker, requestId } = this.#forwarding;
    const head = headOf(incoming, requestHeaders(incoming, worker, requestId));
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
    const { response, worker, requestId, blocked } = this.#forwarding;
    clearTimeout(this.#timer);
    if (head.headers.some((name, at) => at % 2 === 0 && name === BLOCKED_HEADER)) blocked();
    if ((head.length ?? 0) > GATEWAY_LIMITS.bodyBytes) return this.#abort(answerTooLarge());
    response.writeHead(head.status, head.reason, answerHeaders(head, worker, requestId));
    // The client of a stream sees that it has begun, however long its first piece takes.
    if (head.length === null) process.nextTick(this.#flush);
  }

  piece(bytes: Buffer, isLast: boolean): void {
    const { response } = this.#forwarding;
    if (this.#isOver) return;
    this.#bytesAnswered += bytes.length;
    if (this.#bytesAnswered > GATEWAY_LIMITS.bodyBytes) response.destroy();
    // Node sends a string together with the headers in one write, but a Buffer in a second one.
    else if (isLast) response.end(bytes.toString('latin1'), 'latin1');
    else if (!response.write(Buffer.from(bytes)) && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection.pause();
      response.once('drain', this.#goOn);
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
    const { response } = this.#forwarding;
    this.#leave();
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return this.#resolve(true);
    }
    response.off('close', this.#closed);
    if (isClosed(error) && this.#mayBeSentAgain()) this.#resolve(false);
    else if (isNotReached(error)) this.#reject(new WorkerNotReached(error));
    else if (error instanceof MalformedAnswer) this.#reject(answerMalformed(error));
    else this.#reject(new WorkerLost(error));
  }

  #limitTime({ target: { spec } }: Worker): NodeJS.Timeout {
    const { executionTimeout, command } = spec;
    if (executionTimeout === null) return setTimeout(() => this.#abort(tooLate()), GATEWAY_LIMITS.processing);
    const graceMs = command ? 0 : TIMEOUT_GRACE_MS;
    return setTimeout(
      () => this.#abort(new FunctionTimeout(executionTimeout)),
      executionTimeout * 1000 + graceMs,
    );
  }

  readonly #send = (bytes: Buffer) => {
    this.#bytesSent += bytes.length;
    if (this.#bytesSent > GATEWAY_LIMITS.bodyBytes) return this.#abort(tooLarge(GATEWAY_LIMITS.bodyBytes));
    const head = this.#head;
    this.#head = '';
    const mayGoOn = this.#isChunked
      ? this.#connection.write(`${head}${bytes.length.toString(16)}\r\n`, bytes, '\r\n')
      : this.#connection.write(head, bytes);
    if (!mayGoOn) this.#forwarding.incoming.pause();
  };

  readonly #endRequest = () => {
    this.#isSent = true;
    if (this.#isChunked) this.#connection.write(`${this.#head}0\r\n\r\n`);
  };

  readonly #flush = () => {
    if (!this.#isOver && this.#bytesAnswered === 0) this.#forwarding.response.flushHeaders();
  };

  readonly #goOn = () => {
    this.#isPaused = false;
    if (!this.#isOver) this.#connection.resume();
  };

  readonly #closed = () => {
    if (!this.#isOver) {
      this.#leave();
      this.#connection.destroy();
    }
    this.#resolve(true);
  };

  /** Ends it before an answer. */
  #abort(error: Error): void {
    this.#connection.destroy();
    this.#leave();
    this.#forwarding.response.off('close', this.#closed);
    this.#reject(error);
  }

  #leave(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#hasBody) this.#forwarding.incoming.off('data', this.#send).off('end', this.#endRequest);
  }

  /** Whether the request may reach a worker twice. A body, of which some may be read, is never sent again. */
  #mayBeSentAgain(): boolean {
    const { isReused, hasAnswer } = this.#connection;
    return isReused && !hasAnswer && !this.#hasBody && REPEATABLE.has(this.#forwarding.incoming.method ?? '');
  }
}

function headOf({ method, url }: IncomingMessage, headers: string[]): string {
  let head = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}\r\n`;
}

function isClosed(error: Error): boolean {
  if (error instanceof ConnectionClosed) return true;
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
