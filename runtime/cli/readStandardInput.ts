/** Reads standard input to its end. Ctrl+C also ends it, so that a command that waits for input can be stopped. */
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export function readStandardInput(signal: AbortSignal): Promise<Buffer> {
  return buffer(addAbortSignal(signal, process.stdin));
}
