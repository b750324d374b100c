/**
 * Finds the end of the body in a worker's response: after a length, after the last chunk, or at the end of the
 * connection.
 */
import { MalformedAnswer } from './answerHead.ts';

/** Receives bytes of a body. `isLast`: it is known that no more follow. */
export type PassPiece = (piece: Buffer, isLast: boolean) => void;

export interface AnswerBody {
  /**
   * Passes on the part of the body in a chunk of the connection. Returns how many bytes follow the body's
   * end; null before it.
   */
  read(chunk: Buffer, pass: PassPiece): number | null;
  /** Whether the end of the connection is the end of the body. */
  endsWithConnection: boolean;
}

export class LengthBody implements AnswerBody {
  readonly endsWithConnection = false;
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  read(chunk: Buffer, pass: PassPiece): number | null {
    const piece = chunk.length > this.#left ? chunk.subarray(0, this.#left) : chunk;
    this.#left -= piece.length;
    if (piece.length > 0) pass(piece, this.#left === 0);
    return this.#left === 0 ? chunk.length - piece.length : null;
  }
}

export class ConnectionBody implements AnswerBody {
  readonly endsWithConnection = true;

  read(chunk: Buffer, pass: PassPiece): null {
    if (chunk.length > 0) pass(chunk, false);
    return null;
  }
}

/** Most characters of a chunk's size with its extensions, and of all trailers together. */
const MOST_CHARACTERS = 16_384;
const SIZE_LINE = /^([\da-f]{1,8})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?\r\n$/i;

/** RFC 9112, 7.1. Extensions and trailers are dropped. */
export class ChunkedBody implements AnswerBody {
  readonly endsWithConnection = false;
  #next: 'size' | 'end of data' | 'trailer' = 'size';
  /** Bytes of the current chunk's data that have not arrived yet. */
  #left = 0;
  /** The part of the current line that has arrived; for trailers, all of them. */
  #line = '';

  read(chunk: Buffer, pass: PassPiece): number | null {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const piece = chunk.subarray(at, at + this.#left);
        this.#left -= piece.length;
        at += piece.length;
        pass(piece, false);
        continue;
      }
      const newline = chunk.indexOf('\n', at);
      const end = newline === -1 ? chunk.length : newline + 1;
      this.#line += chunk.toString('latin1', at, end);
      at = end;
      if (this.#line.length > MOST_CHARACTERS)
        throw new MalformedAnswer('A line between its chunks is too long.');
      if (newline !== -1 && this.#takeLine()) return chunk.length - at;
    }
    return null;
  }

  /** Returns whether the line ends the body. */
  #takeLine(): boolean {
    const line = this.#line;
    if (!line.endsWith('\r\n')) throw new MalformedAnswer('A line between its chunks ends without CR LF.');
    if (this.#next === 'trailer') return line === '\r\n' || line.endsWith('\r\n\r\n');
    this.#line = '';
    if (this.#next === 'end of data') {
      if (line !== '\r\n') throw new MalformedAnswer('A chunk is longer than its size.');
      this.#next = 'size';
      return false;
    }
    const size = SIZE_LINE.exec(line);
    if (!size) throw new MalformedAnswer('The size of a chunk is not a hexadecimal number.');
    this.#left = Number.parseInt(size[1]!, 16);
    this.#next = this.#left > 0 ? 'end of data' : 'trailer';
    return false;
  }
}
