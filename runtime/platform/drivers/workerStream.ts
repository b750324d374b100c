/** A connection to a worker that opens later. It then forwards all data to and from another connection. */
import { Duplex } from 'node:stream';

/**
 * The error of a connection that could not be opened, as a socket reports it. Nothing of a request was sent.
 */
export function refusal(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'ECONNREFUSED', syscall: 'connect' });
}

/** The error of a connection that broke off, as a socket reports it. */
export function reset(): Error {
  return Object.assign(new Error('The connection to the worker ended.'), { code: 'ECONNRESET' });
}

/** Like a socket, it emits `connect` when it opens. Data that is written before waits. */
export class WorkerStream extends Duplex {
  readonly #opening: Promise<Duplex>;
  #carrier: Duplex | null = null;
  connecting = true;

  /** @param opening If it rejects, the stream ends with the same error. */
  constructor(opening: Promise<Duplex>) {
    super({ allowHalfOpen: false });
    this.#opening = opening;
    opening.catch(() => undefined);
  }

  override _construct(callback: (error?: Error) => void): void {
    void this.#open(callback);
  }

  async #open(callback: (error?: Error) => void): Promise<void> {
    try {
      this.#take(await this.#opening);
    } catch (error) {
      // A socket that was already destroyed emits no error either.
      return callback(this.destroyed ? undefined : (error as Error));
    }
    this.connecting = false;
    callback();
    if (!this.destroyed) this.emit('connect');
  }

  override _read(): void {
    this.#carrier?.resume();
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#carrier!.write(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#carrier!.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#carrier!.end(callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#carrier?.destroy();
    callback(error);
  }

  #take(carrier: Duplex): void {
    this.#carrier = carrier;
    carrier.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) carrier.pause();
    });
    carrier.on('end', () => this.push(null));
    carrier.on('error', (error) => this.destroy(error));
    carrier.on('close', () => {
      // Data that has arrived can still be read.
      if (!carrier.readableEnded) this.destroy(reset());
    });
  }
}
