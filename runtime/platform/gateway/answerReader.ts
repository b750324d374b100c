/** Parses the bytes that a worker sends after one request into the head and the body of its response. */
import { maxHeaderSize } from 'node:http';
import { type AnswerBody, ChunkedBody, ConnectionBody, LengthBody } from './answerBody.ts';
import { type AnswerHead, MalformedAnswer, parseAnswerHead } from './answerHead.ts';

export interface AnswerReceiver {
  head(head: AnswerHead): void;
  /**
   * A piece of the body. The buffer is reused, so copy what is kept. `isLast`: it is known that no more
   * follow.
   */
  piece(bytes: Buffer, isLast: boolean): void;
  /** The response is complete. */
  end(): void;
  /**
   * The worker switches to a protocol that the request offers. Bytes from `first` on are not HTTP. Absent if the
   * request offers none.
   */
  accept?: (head: AnswerHead, first: Buffer) => void;
}

const HEAD_END = '\r\n\r\n';

export class AnswerReader {
  readonly #receiver: AnswerReceiver;
  readonly #method: string;
  /** The part of an incomplete head that has arrived. */
  #held: Buffer | null = null;
  #head: AnswerHead | null = null;
  #body: AnswerBody | null = null;
  #isOver = false;
  /** Whether nothing follows the response on its connection. */
  #isExact = true;

  /** @param method The request's: a response to HEAD has no body. */
  constructor(method: string, receiver: AnswerReceiver) {
    this.#method = method;
    this.#receiver = receiver;
  }

  /** Whether any part of the response has arrived. */
  get hasBegun(): boolean {
    return this.#head !== null || this.#held !== null;
  }

  /** Whether the connection can carry another request once the response is complete. */
  get keepsOpen(): boolean {
    return this.#isExact && this.#head !== null && this.#head.keepsOpen;
  }

  /**
   * @param chunk The buffer is not kept.
   * @throws MalformedAnswer
   */
  read(chunk: Buffer): void {
    const rest = this.#head ? chunk : this.#readHead(chunk);
    if (!rest || !this.#body) return;
    const after = this.#body.read(rest, (piece, isLast) => this.#receiver.piece(piece, isLast));
    if (after === null) return;
    this.#isExact = after === 0;
    this.#end();
  }

  /** The connection has ended. Returns whether the response is complete. */
  close(): boolean {
    this.#isExact = false;
    if (!this.#isOver && this.#body?.endsWithConnection) this.#end();
    return this.#isOver;
  }

  /** Returns the bytes after the head; null until the head is complete. */
  #readHead(chunk: Buffer): Buffer | null {
    let rest = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    for (;;) {
      const end = rest.indexOf(HEAD_END, 0, 'latin1');
      if (end > maxHeaderSize || (end === -1 && rest.length > maxHeaderSize))
        throw new MalformedAnswer(`Its headers have more than ${maxHeaderSize / 1024} kB.`);
      if (end === -1) {
        this.#held = Buffer.from(rest);
        return null;
      }
      const head = parseAnswerHead(rest.toString('latin1', 0, end));
      rest = rest.subarray(end + HEAD_END.length);
      if (head.status === 101) {
        this.#accept(head, rest);
        return null;
      }
      // An interim response; the final one follows.
      if (head.status < 200) continue;
      this.#head = head;
      this.#held = null;
      this.#body = bodyOf(head, this.#method);
      this.#receiver.head(head);
      return rest;
    }
  }

  #accept(head: AnswerHead, first: Buffer): void {
    if (!this.#receiver.accept)
      throw new MalformedAnswer('It switches to a protocol that was not requested.');
    this.#receiver.accept(head, first);
  }

  #end(): void {
    this.#isOver = true;
    this.#receiver.end();
  }
}

/** RFC 9112, 6.3. */
function bodyOf({ status, isChunked, length }: AnswerHead, method: string): AnswerBody {
  if (method === 'HEAD' || status === 204 || status === 304) return new LengthBody(0);
  if (isChunked) return new ChunkedBody();
  return length === null ? new ConnectionBody() : new LengthBody(length);
}
