/** Reads a request's body up to a limit. Never holds more than the limit. */
import type { IncomingMessage } from 'node:http';
import { ToolkitError } from '../../contract/errors.ts';
import { PLATFORM_LIMITS } from '../../contract/limits.ts';

/** Bodies above this size are written into one buffer as they arrive. */
const LARGE = 262_144;
/**
 * Most bytes that are read in one turn of the event loop. A client on this machine sends as fast as they are
 * read.
 */
const TURN = 524_288;

/**
 * Reads the whole body.
 *
 * @param limit Bytes.
 * @param each Called with every piece as it arrives.
 * @throws ToolkitError PAYLOAD_TOO_LARGE; BAD_REQUEST if the client disconnects before the end, or sends nothing
 * for 20 s.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  each: (piece: Buffer) => void = () => {},
): Promise<Buffer<ArrayBuffer>> {
  const declared = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    if (declared > limit) throw tooLarge(limit);
    // A large body is assembled as it arrives. Doing so at the end would delay other requests.
    const whole = declared > LARGE ? Buffer.allocUnsafeSlow(declared) : null;
    const pieces: Buffer<ArrayBuffer>[] = [];
    let size = 0;
    let ofTurn = 0;
    const settle = (error: Error | null) => {
      request.off('data', read).off('end', end).off('error', cut).off('close', cut).off('timeout', pause);
      request.setTimeout(0);
      if (error) reject(error);
      else resolve(whole ?? (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)));
    };
    const read = (piece: Buffer<ArrayBuffer>) => {
      if (size + piece.length > limit) return settle(tooLarge(limit));
      if (whole) whole.set(piece, size);
      else pieces.push(piece);
      size += piece.length;
      each(piece);
      ofTurn += piece.length;
      if (ofTurn < TURN) return;
      ofTurn = 0;
      request.pause();
      setImmediate(() => request.resume());
    };
    const end = () => settle(null);
    const cut = () => settle(endedEarly());
    const pause = () => settle(paused());
    request.on('data', read).on('end', end).on('error', cut).on('close', cut).on('timeout', pause);
    request.setTimeout(PLATFORM_LIMITS.bodyPause);
    // Already destroyed: no further events follow.
    if (request.destroyed) cut();
  });
}

/**
 * A request's body, piece by piece. The connection stays open if the loop ends early, so that a refused
 * client can read the reason.
 *
 * @throws ToolkitError BAD_REQUEST if the client disconnects before the end.
 */
export async function* bodyChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (request.complete) throw error;
  }
  if (!request.complete) throw endedEarly();
}

export function tooLarge(limit: number): ToolkitError {
  return new ToolkitError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit / 1_000_000} MB.`, {
    hint: 'Send a smaller body, or send a URL for the data instead.',
  });
}

function paused(): ToolkitError {
  const seconds = PLATFORM_LIMITS.bodyPause / 1_000;
  return new ToolkitError(
    'BAD_REQUEST',
    `The rest of the body is missing: nothing arrived for ${seconds} s.`,
    {
      hint: 'Send the request again.',
    },
  );
}

function endedEarly(): ToolkitError {
  return new ToolkitError('BAD_REQUEST', 'The request ended before its body was complete.');
}
