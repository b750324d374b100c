/** The socket that the editor and the CLI attach to. Sends the run's events to each client and takes their requests. */
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import type { DevMessage, DevRequest } from '../../contract/devSocket.ts';
import { LIVE_LIMITS } from '../../contract/limits.ts';

/** A client that does not read is disconnected when this many bytes are queued for it. */
const MOST_UNREAD = 4_000_000;

/** In milliseconds. How long clients have to read the last events. */
const CLOSE_MS = 500;

const request: z.ZodMiniType<DevRequest> = z.strictObject({
  allowHost: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,253}$/)),
});

export class DevSocket {
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** The first message to a new client. */
  #ready: DevMessage | null = null;
  #externalHost: string | null = null;

  /** Runs while a client is needed but none is attached. Before `ready`, none can have found the socket. */
  #timer: NodeJS.Timeout | null = null;
  readonly #abandoned: (() => void) | null;

  private constructor(abandoned: (() => void) | null) {
    this.#abandoned = abandoned;
    this.#server = createServer((client) => this.#greet(client));
  }

  /**
   * Listens at a path that only this user can connect to.
   *
   * @param abandoned - Called when no client has been attached for a while; null if none is needed.
   */
  static async open(path: string, abandoned: (() => void) | null): Promise<DevSocket> {
    const socket = new DevSocket(abandoned);
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      socket.#server.once('error', reject);
      socket.#server.listen(path, resolve);
    });
    await chmod(path, 0o600);
    return socket;
  }

  /** The host that a client has registered. */
  get externalHost(): string | null {
    return this.#externalHost;
  }

  publish(event: DevMessage): void {
    if (event.event === 'ready') {
      this.#ready = event;
      this.#watchClients();
    }
    for (const client of this.#clients) send(client, event);
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const client of this.#clients) client.end();
    // A client that does not read must not block dev from ending.
    const timer = setTimeout(() => {
      for (const client of this.#clients) client.destroy();
    }, CLOSE_MS);
    await closed;
    clearTimeout(timer);
  }

  #greet(client: Socket): void {
    this.#clients.add(client);
    this.#watchClients();
    client.once('close', () => {
      this.#clients.delete(client);
      this.#watchClients();
    });
    // The readline interface re-emits the errors of its input.
    const lines = createInterface({ input: client });
    for (const one of [client, lines]) one.on('error', () => client.destroy());
    lines.on('line', (line) => this.#take(client, line));
    if (this.#ready) send(client, this.#ready);
  }

  #watchClients(): void {
    if (this.#timer) clearTimeout(this.#timer);
    const isServing = this.#ready !== null && this.#server.listening;
    const isAlone = this.#abandoned !== null && isServing && this.#clients.size === 0;
    this.#timer = isAlone ? setTimeout(this.#abandoned!, LIVE_LIMITS.unattended) : null;
  }

  #take(client: Socket, line: string): void {
    const asked = request.safeParse(parseJson(line));
    if (!asked.success) {
      client.destroy();
      return;
    }
    const { allowHost } = asked.data;
    this.#externalHost = allowHost.toLowerCase();
    send(client, { event: 'host-allowed', host: allowHost });
  }
}

function send(client: Socket, message: DevMessage): void {
  if (client.writableLength > MOST_UNREAD) client.destroy();
  else client.write(`${JSON.stringify(message)}\n`);
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
