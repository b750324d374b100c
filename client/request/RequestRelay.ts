/** Sends a panel's requests to the dev server, and its responses back chunk by chunk. Can reach nothing else. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { FromPanel, ToPanel } from '../../runtime/contract/panelMessages.ts';
import type { DevAddress } from '../dev/DevServer.ts';
import { devRequest } from './devRequest.ts';

type PanelRequest = Extract<FromPanel, { type: 'request' }>;

/** Plain words for Node's socket errors. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'it is stopped',
  ECONNRESET: 'the connection was closed',
};

export class RequestRelay {
  /** Resolves when the panel has received the message. */
  readonly #post: (message: ToPanel) => PromiseLike<unknown>;
  readonly #running = new Map<number, ClientRequest>();

  constructor(post: (message: ToPanel) => PromiseLike<unknown>) {
    this.#post = post;
  }

  /** @param address - Address of the dev server; null while it does not run. */
  send(address: DevAddress | null, { id, method, path, body }: PanelRequest): void {
    const fail = (error: NodeJS.ErrnoException) => {
      const message = REASONS[error.code ?? ''] ?? error.message;
      if (this.#running.delete(id)) void this.#post({ type: 'failed', id, message });
    };
    try {
      if (address === null) throw new Error('it is stopped');
      if (!path.startsWith('/')) throw new Error(`"${path}" is not a path`);
      const headers =
        body === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = devRequest(address, { method, path, headers });
      this.#running.set(id, sent);
      sent.on('response', (answer) => {
        this.#pass(id, answer).catch(fail);
      });
      sent.on('error', fail);
      sent.end(body ?? undefined);
    } catch (error) {
      void this.#post({ type: 'failed', id, message: (error as Error).message });
    }
  }

  abort(id: number): void {
    const sent = this.#running.get(id);
    this.#running.delete(id);
    sent?.destroy();
  }

  abortAll(): void {
    for (const id of this.#running.keys()) this.abort(id);
  }

  async #pass(id: number, answer: IncomingMessage): Promise<void> {
    const names = answer.rawHeaders.filter((_, at) => at % 2 === 0);
    const headers = names.map((name, at): [string, string] => [name, answer.rawHeaders[2 * at + 1] ?? '']);
    await this.#post({ type: 'head', id, status: answer.statusCode ?? 0, headers });
    // Awaited for backpressure: the server waits until the panel has received a chunk.
    for await (const chunk of answer) {
      await this.#post({ type: 'chunk', id, bytes: new Uint8Array(chunk as Buffer) });
    }
    if (this.#running.delete(id)) await this.#post({ type: 'end', id });
  }
}
