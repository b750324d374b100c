/** Standard input to its end, or to an interrupt: who types nothing more must not have to kill the command. */
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export function readStandardInput(signal: AbortSignal): Promise<Buffer> {
  return buffer(addAbortSignal(signal, process.stdin));
}
