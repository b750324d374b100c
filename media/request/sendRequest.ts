/** Sends a request and passes on what is known of the answer, as it comes. */
import type { HttpRequest } from './buildRequest.ts';
import { type Exchange, headOf } from './Exchange.ts';

/** Answers of these types are shown as text while they come. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript|x-ndjson)|$)/;

/** @param update - Called with what has become known. */
export async function sendRequest(
  { method, path, body }: HttpRequest,
  { signal, update }: { signal: AbortSignal; update: (known: Partial<Exchange>) => void },
): Promise<void> {
  const startedAt = performance.now();
  let hasBegun = false;
  const ended = (known: Partial<Exchange>) =>
    update({ ...known, milliseconds: performance.now() - startedAt });
  try {
    const headers: HeadersInit = body === null ? {} : { 'content-type': 'application/json' };
    const response = await fetch(path, { method, headers, body, signal, cache: 'no-store' });
    const head = headOf(response);
    update(head);
    hasBegun = true;
    const content = await read(response, TEXT.test(head.type ?? ''), update);
    ended({ ...content, state: 'answered' });
  } catch (error) {
    if (signal.aborted) ended({ state: 'stopped' });
    else {
      const what = hasBegun ? 'The answer broke off' : 'The dev server does not answer';
      ended({ state: 'failed', failure: `${what}: ${(error as Error).message}.` });
    }
  }
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
