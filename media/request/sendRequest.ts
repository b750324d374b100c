/** Sends a request and reports its response as it arrives. */
import type { HttpRequest } from './buildRequest.ts';
import { type Exchange, headOf, type Sending } from './Exchange.ts';
import { runJob } from './runJob.ts';

/** Responses of these types are shown as text while they arrive. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript|x-ndjson)|$)/;

/** @param sending - `update` is called with each new part of the exchange. */
export async function sendRequest(request: HttpRequest, sending: Sending): Promise<void> {
  const { signal, update } = sending;
  const startedAt = performance.now();
  let hasBegun = false;
  const ended = (known: Partial<Exchange>) =>
    update({ ...known, milliseconds: performance.now() - startedAt });
  try {
    const begun = (head: Partial<Exchange>) => {
      hasBegun = true;
      update(head);
    };
    const answer =
      request.kind === 'queue' ? await runJob(request, sending) : await call(request, sending, begun);
    ended({ ...answer, state: 'answered' });
  } catch (error) {
    if (signal.aborted && (error as Error).name === 'AbortError') ended({ state: 'stopped' });
    else {
      const what = hasBegun ? 'The response was interrupted' : 'The dev server does not respond';
      ended({ state: 'failed', failure: `${what}: ${(error as Error).message}.` });
    }
  }
}

/** Calls a route, and reports the response while it arrives. */
async function call(
  { method, path, body }: HttpRequest,
  { send, signal, update }: Sending,
  begun: (head: Partial<Exchange>) => void,
): Promise<Partial<Exchange>> {
  const response = await send(path, { method, body, signal });
  const head = headOf(response);
  begun(head);
  return read(response, TEXT.test(head.type ?? ''), update);
}

async function read(
  response: Response,
  isText: boolean,
  update: (known: Partial<Exchange>) => void,
): Promise<Partial<Exchange>> {
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of chunksOf(response)) {
    size += chunk.length;
    if (isText) text += decoder.decode(chunk, { stream: true });
    else chunks.push(chunk);
    update({ text, size });
  }
  return { text: text + decoder.decode(), size, bytes: isText ? null : joined(chunks, size) };
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
