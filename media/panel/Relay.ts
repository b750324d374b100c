/** The page's requests → messages to the extension host, which sends them; its messages → answers that come in chunks. */
import type { FromPanel, ToPanel } from '../../runtime/contract/panelMessages.ts';
import type { Send } from '../PageHost.ts';

/** Answers of these statuses have no body, not even an empty one. */
const NO_BODY: readonly number[] = [204, 205, 304];

interface Pending {
  /** The head of the answer has come. */
  begin(response: Response): void;
  fail(error: Error): void;
  /** Null until the head has come. */
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

  heard(message: ToPanel): void {
    const pending = 'id' in message ? this.#pending.get(message.id) : undefined;
    // Of an aborted request more may come.
    if (!pending) return;
    switch (message.type) {
      case 'head':
        try {
          return pending.begin(responseOf(message, pending));
        } catch (error) {
          // A status that a browser does not know.
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
