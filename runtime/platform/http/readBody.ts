/** Reads a request's body up to a limit, without holding more than the limit. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';

/**
 * The whole body.
 *
 * @param limit Bytes.
 * @throws ToolkitError PAYLOAD_TOO_LARGE, BAD_REQUEST when the client goes away before the end.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request)) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/**
 * A request's body piece by piece. Left early the connection stays, so that a refused client reads why.
 *
 * @throws ToolkitError BAD_REQUEST when the client goes away before the end.
 */
export async function* bodyChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (request.complete) throw error;
  }
  if (!request.complete) throw new ToolkitError('BAD_REQUEST', 'The request ended before its body did.');
}

/** The body as JSON; the platform asks for no Content-Type. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolkitError('BAD_REQUEST', 'The body is not JSON.', { cause: error });
  }
}

export function tooLarge(limit: number): ToolkitError {
  return new ToolkitError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit / 1_000_000} MB.`, {
    hint: 'Send a smaller body, or pass a URL of the data instead.',
  });
}
