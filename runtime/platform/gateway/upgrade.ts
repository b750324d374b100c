/**
 * The client of a request that offers another protocol, such as WebSocket. The request is served like any
 * other until a worker accepts the offer; then bytes pass both ways.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameBoundary } from './frameBoundary.ts';

/** Close frames with status 1001 (going away): one for a client, and a masked one for a worker. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);
const GOING_AWAY_MASKED = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]);
/** How long a client or a worker can take to close its connection after the gateway has ended it. */
const CLOSE_MS = 2_000;
/** Bytes from the client that are kept until a worker accepts the offer. Then no more are read. */
const MOST_EARLY = 65_536;

export class Upgrade {
  /** Sends a response that does not accept the offer. Closes with the client's connection. */
  readonly response: ServerResponse;
  /** The offered protocols. */
  readonly offer: string;
  readonly #client: Socket;
  readonly #early: Buffer[];
  #earlyBytes = 0;
  #cut = (): Promise<void> => {
    this.#client.destroy();
    return Promise.resolve();
  };

  /** @param head Bytes that the client sent after its request. */
  constructor(request: IncomingMessage, head: Buffer) {
    this.#client = request.socket;
    this.#early = [head];
    this.offer = request.headers.upgrade ?? '';
    this.response = responseTo(request);
    // An error is followed by `close`, which is handled.
    this.#client.on('error', () => {});
    // It is read although nothing is expected: otherwise its end would not be noticed.
    this.#client.on('data', this.#keep).once('end', this.#left);
  }

  /**
   * Closes the connection as its protocol requires. Can be called again until it has closed. Resolves when the
   * worker has closed its side, at the latest after a moment.
   */
  cut(): Promise<void> {
    return this.#cut();
  }

  /**
   * Passes on that a worker has accepted the offer, and then bytes both ways.
   *
   * @param head The head of the worker's response, each byte as one character.
   * @param first Bytes that the worker sent after it.
   */
  accept(head: string, protocol: string, upstream: Duplex, first: Buffer): void {
    const client = this.#client;
    client.off('data', this.#keep).off('end', this.#left);
    client.once('finish', () => closeLater(client));
    // A client that resets its connection does not end the pipe, and neither does a lost worker.
    client.once('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => {
      if (!upstream.readableEnded) client.destroy();
    });
    client.write(head, 'latin1');
    for (const bytes of this.#early.splice(0)) upstream.write(bytes);
    upstream.pause();
    if (first.length > 0) upstream.unshift(first);
    if (protocol.toLowerCase() === 'websocket') this.#cut = cutter(client, upstream);
    upstream.pipe(client);
    client.pipe(upstream);
  }

  readonly #keep = (bytes: Buffer) => {
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
    if (this.#earlyBytes > MOST_EARLY) this.#client.pause();
  };

  readonly #left = () => this.#client.destroy();
}

/** The response to a request whose connection Node's server has given up. It ends the connection. */
function responseTo(request: IncomingMessage): ServerResponse {
  const { socket } = request;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(socket);
  } catch {
    // The client did not wait for the response to its previous request, which uses the connection.
    socket.destroy();
  }
  socket.on('drain', () => response.emit('drain'));
  response.once('finish', () => socket.destroySoon());
  return response;
}

/** Returns a function that closes a WebSocket on both sides, between two frames of the worker. */
function cutter(client: Duplex, upstream: Duplex): () => Promise<void> {
  const frames = new FrameBoundary();
  upstream.on('data', (chunk: Buffer) => frames.pass(chunk));
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  upstream.once('close', resolve);
  let isCut = false;
  const cut = () => {
    if (isCut) return;
    isCut = true;
    let isEnded = false;
    const end = () => {
      if (isEnded || !frames.isBetweenFrames) return;
      isEnded = true;
      upstream.unpipe(client);
      client.unpipe(upstream);
      // Further data is read and dropped, so that the end of each side is noticed.
      upstream.resume().end(GOING_AWAY_MASKED);
      client.resume().end(GOING_AWAY);
    };
    end();
    upstream.on('data', end);
    // The client may not even read.
    closeLater(client);
  };
  return () => {
    cut();
    return Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
  };
}

function closeLater(client: Duplex): void {
  const timer = setTimeout(() => client.destroy(), CLOSE_MS);
  client.once('close', () => clearTimeout(timer));
}
