/** Turns the page's requests into messages to the extension host, which sends them, and its messages into responses. */
import type { FromPanel, ToPanel } from '../../runtime/contract/panelMessages.ts';
import type { Send } from '../PageHost.ts';

/** Responses with these statuses have no body, not even an empty one. */
const NO_BODY: readonly number[] = [204, 205, 304];

interface Pending {
  /** Called when the head of the response has arrived. */
  begin(response: Response): void;
  fail(error: Error): void;
  /** Null until the head has arrived. */
  body: ReadableStreamDefaultController<Uint8Array> | null;
}

export class Relay {
  readonly #post: (message: FromPanel) => void;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor(post: (message: FromPanel) => void) {
    this.#post = post;
  }

  readonly send: Send = (path, { method = 'GET', body = null, signal }) =>
    new Promise<Response>((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++this.#last;
      this.#pending.set(id, { begin: resolve, fail: reject, body: null });
      signal?.addEventListener('abort', () => this.#abort(id, signal.reason as Error), { once: true });
      this.#post({ type: 'request', id, method, path, body });
    });

  receive(message: ToPanel): void {
    const pending = 'id' in message ? this.#pending.get(message.id) : undefined;
    // Messages for an aborted request can still arrive.
    if (!pending) return;
    switch (message.type) {
      case 'head':
        try {
          return pending.begin(responseOf(message, pending));
        } catch (error) {
          // A status that `Response` does not accept.
          return this.#fail(message.id, error as Error);
        }
      case 'chunk':
        return pending.body?.enqueue(message.bytes);
      case 'end':
        this.#pending.delete(message.id);
        return pending.body?.close();
      case 'failed':
        return this.#fail(message.id, new Error(message.message));
    }
  }

  #abort(id: number, reason: Error): void {
    if (!this.#pending.has(id)) return;
    this.#post({ type: 'abort', id });
    this.#fail(id, reason);
  }

  #fail(id: number, error: Error): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending?.body) pending.body.error(error);
    else pending?.fail(error);
  }
}

function responseOf({ status, headers }: Extract<ToPanel, { type: 'head' }>, pending: Pending): Response {
  if (NO_BODY.includes(status)) return new Response(null, { status, headers });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      pending.body = controller;
    },
  });
  return new Response(body, { status, headers });
}
