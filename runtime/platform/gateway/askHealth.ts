/** GET /ping of a load-balanced worker, with its secret. */
import { type IncomingMessage, request } from 'node:http';
import { GATEWAY_SECRET_HEADER } from '../../contract/workerProtocol.ts';
import type { Worker } from '../workers/worker.ts';
import type { Workers } from '../workers/workers.ts';

/** Resolves with the head of the response. Rejects if none comes. */
export function askHealth(
  workers: Workers,
  worker: Worker,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request({
      createConnection: () => workers.connect(worker),
      path: '/ping',
      headers: { [GATEWAY_SECRET_HEADER]: worker.gatewaySecret ?? '', ...headers },
      signal,
    });
    asking.on('error', reject);
    asking.on('response', (answer) => {
      answer.resume().on('error', () => {});
      resolve(answer);
    });
    asking.end();
  });
}
