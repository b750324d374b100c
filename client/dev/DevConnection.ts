/** The socket of one dev server: receives its events and sends requests. An attached dev server ends without clients. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { DevMessage, DevRecord, DevRequest } from '../../runtime/contract/devSocket.ts';
import { jsonLine } from './jsonLine.ts';

interface Listener {
  onMessage(message: DevMessage): void;
  /** Called when the dev server has ended. */
  onClose(): void;
}

export class DevConnection {
  readonly record: DevRecord;
  readonly #socket: Socket;
  readonly #listener: Listener;
  /** Called with each host that the dev server confirms. */
  readonly #allowed = new Set<(host: string | null) => void>();

  constructor(record: DevRecord, listener: Listener) {
    this.record = record;
    this.#listener = listener;
    this.#socket = connect(record.socket);
    createInterface({ input: this.#socket })
      .on('line', (line) => this.#take(jsonLine(line)))
      // The readline interface re-emits errors of its input; the socket closes after them.
      .on('error', () => {});
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      for (const settle of this.#allowed) settle(null);
      listener.onClose();
    });
  }

  /** Makes the dev server accept requests for another host name. Resolves once it does, or has ended. */
  async allowHost(host: string): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const settle = (answered: string | null): void => {
        if (answered !== null && answered !== host) return;
        this.#allowed.delete(settle);
        resolve();
      };
      this.#allowed.add(settle);
      this.#socket.write(`${JSON.stringify({ allowHost: host } satisfies DevRequest)}\n`);
    });
  }

  /** Disconnects from the dev server. */
  close(): void {
    this.#socket.destroy();
  }

  #take(message: DevMessage | null): void {
    if (!message) return;
    if (message.event !== 'host-allowed') this.#listener.onMessage(message);
    else for (const settle of this.#allowed) settle(message.host);
  }
}
